//! HTML of the report.

/// Text with the characters that mean something to HTML escaped.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Light and dark, screen and paper.
pub const STYLE: &str = "\
:root { --ink: #222; --paper: #fff; --faint: #e4e4e4; --accent: #0072b2; --card: #fafafa }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --paper: #16181b; --faint: #34383d; --accent: #56b4e9; --card: #1d2024 }
}
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.2rem; color: var(--ink); background: var(--paper);
  font: 16px/1.55 system-ui, 'DejaVu Sans', sans-serif }
h1 { line-height: 1.2 } h2 { margin-top: 3rem; border-top: 1px solid var(--faint); padding-top: 1.5rem }
a { color: var(--accent) } code { font-size: .92em }
table { border-collapse: collapse; width: 100%; font-size: .92em; margin: 1rem 0 }
th, td { text-align: left;  vertical-align: top; padding: .35rem .6rem; border-bottom: 1px solid var(--faint) }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
figure { margin: 1.5rem 0 } figure img { width: 100%; background: #fff; border-radius: 4px }
figcaption { font-size: .9em; margin-top: .5rem }
.verdicts { display: flex; flex-wrap: wrap; gap: .8rem; padding: 0; list-style: none }
.verdicts li { flex: 1 1 11rem; padding: .8rem 1rem; background: var(--card); border: 1px solid var(--faint); border-radius: 6px }
.verdicts b { display: block; font-size: 1.8rem }
.facts { font-size: .9em } details { margin: .8rem 0 }
@media print {
  body { max-width: none; padding: 0; font-size: 9.5pt; line-height: 1.4 } details { display: none }
  h2 { break-before: page; border: 0; margin-top: 0 } figure, tr { break-inside: avoid }
  figure { margin: .8rem 0 } figure img { width: 82% }
}
";
