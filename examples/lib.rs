//! The README and the guide, whose blocks of Rust are compiled and run as tests.
//!
//! The examples themselves are programs: `cargo run --release --package examples --bin own-model`.

/// README.md.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

/// docs/quick-start.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/quick-start.md")]
mod quick_start {}

/// docs/certify.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/certify.md")]
mod certify {}

/// docs/data.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/data.md")]
mod data_files {}

/// docs/models.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/models.md")]
mod models {}

/// docs/python.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/python.md")]
mod python {}

/// docs/how-it-works.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/how-it-works.md")]
mod how_it_works {}

/// docs/anchored-path.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/anchored-path.md")]
mod anchored_path {}

/// docs/what-to-use.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/what-to-use.md")]
mod what_to_use {}

/// docs/choosing-settings.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/choosing-settings.md")]
mod choosing_settings {}

/// docs/reading-the-audit.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/reading-the-audit.md")]
mod reading_the_audit {}

/// docs/limits.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/limits.md")]
mod limits {}

/// docs/related-work.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/related-work.md")]
mod related_work {}

/// docs/questions.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/questions.md")]
mod questions {}

/// docs/adding-things.md.
#[cfg(doctest)]
#[doc = include_str!("../docs/adding-things.md")]
mod adding_things {}

#[cfg(test)]
mod tests {
    /// A page that is not in the table of contents, or whose code nobody compiles, is forgotten.
    #[test]
    fn every_page_of_the_guide_is_listed_and_compiled() {
        let (own, contents) = (include_str!("lib.rs"), include_str!("../docs/SUMMARY.md"));
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs");
        let mut pages = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            if name.ends_with(".md") && name != "SUMMARY.md" {
                assert!(contents.contains(&format!("]({name})")), "{name} is not in SUMMARY.md");
                assert!(own.contains(&format!("include_str!(\"../docs/{name}\")")), "{name}");
                pages += 1;
            }
        }
        assert!(pages >= 7, "{pages} pages");
    }
}
