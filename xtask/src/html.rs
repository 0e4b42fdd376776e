//! Pieces of HTML that the parts of the report share.

use records::Verdict;

/// Text with the characters that mean something to HTML escaped.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The word by which style sheet and script know a verdict.
pub fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Reproduced => "reproduced",
        Verdict::ReproducedUnderReading => "reading",
        Verdict::NotReproduced => "failed",
        Verdict::WrongAsPrinted => "wrong",
        Verdict::NotTestableHere => "open",
    }
}

/// A verdict as a chip: a colour and a sign for the eye, and words for everyone.
pub fn chip(verdict: Verdict) -> String {
    let sign = match verdict {
        Verdict::Reproduced => '✓',
        Verdict::ReproducedUnderReading => '≈',
        Verdict::NotReproduced => '✗',
        Verdict::WrongAsPrinted => '!',
        Verdict::NotTestableHere => '?',
    };
    format!("<span class=\"chip {}\">{sign} {}</span>", class(verdict), verdict.words())
}

/// The name of a claim as the target of a link.
pub fn anchor(claim: &str) -> String {
    format!("claim-{}", claim.replace('/', "-"))
}

/// A figure that can be scrolled where it is too wide, and opened on its own.
pub fn figure(experiment: &str, name: &str, caption: &str) -> String {
    let (source, caption) = (format!("../full/{experiment}/{name}.svg"), escape(caption));
    format!(
        "<figure><div class=\"scroll\"><a href=\"{source}\"><img src=\"{source}\" alt=\"{caption}\"></a></div>\
         <figcaption>{caption}</figcaption></figure>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_cannot_become_markup() {
        assert_eq!(escape("a < b & \"c\" > d"), "a &lt; b &amp; &quot;c&quot; &gt; d");
        assert_eq!(anchor("a9a/full-draw"), "claim-a9a-full-draw");
    }

    #[test]
    fn every_verdict_has_a_class_of_its_own() {
        for (place, one) in Verdict::ALL.into_iter().enumerate() {
            assert!(Verdict::ALL[..place].iter().all(|other| class(*other) != class(one)));
        }
    }
}
