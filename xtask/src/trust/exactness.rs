//! Exactness: expectations as finite sums over everything that chance could do, with the estimator that
//! users run.

use super::Bench;
use super::evidence::{Evidence, counted};
use super::named::{self, Named, named};

const TESTS: &[Named] = &[
    named(
        "E Z is the expectation of all rows: every form, law and schedule, over all orders and depths",
        "posterior/enumeration/every_form_and_law_is_unbiased",
        true,
    ),
    named(
        "the same for independent, stratified and systematic depths in groups",
        "posterior/enumeration/every_depth_scheme_is_unbiased",
        true,
    ),
    named(
        "the same for whatever form and law a pilot chooses",
        "posterior/enumeration/whatever_a_pilot_chooses_is_unbiased",
        true,
    ),
    named(
        "the enumerated variance of every form is the predicted one",
        "posterior/variances/predicted_variances_are_the_enumerated_ones",
        true,
    ),
    named(
        "replicates cost what was predicted, and vary as predicted",
        "experiments/gaussian_mean/predictions_hold_and_antithetic_increments_pay",
        true,
    ),
    named(
        "batches are uniform subsets of the rows",
        "posterior/enumeration/batches_are_uniform_subsets",
        true,
    ),
    named(
        "a budget buys replicates without bias",
        "debias/lib/budget::tests::the_rule_is_exactly_unbiased",
        true,
    ),
    named(
        "anchored paths: all samples, halves and depths telescope to all rows, calibration included",
        "anchored/lib/worked_example::every_sample_and_every_depth_telescope_to_all_rows",
        true,
    ),
    named(
        "anchored paths: a row's weight is one on average over all samples of a level",
        "anchored/lib/worked_example::weights_are_one_over_the_chance_to_be_in",
        true,
    ),
    named(
        "anchored paths: samples and halves are drawn evenly from all that there are",
        "anchored/lib/drawn_designs::samples_and_halves_are_drawn_evenly",
        true,
    ),
    named(
        "anchored paths: the last level is the posterior of all rows",
        "anchored/lib/worked_example::the_last_level_is_the_posterior",
        true,
    ),
    named(
        "anchored paths: calibrated weights reproduce known totals",
        "anchored/lib/worked_example::calibrated_weights_reproduce_the_totals_of_unsaturated_rows",
        true,
    ),
    named(
        "anchored paths: weights undo the density that points were drawn from",
        "anchored/lib/worked_example::the_weights_undo_the_base_that_points_were_drawn_from",
        true,
    ),
    named(
        "anchored paths: equal rows put together leave the posterior as it is",
        "anchored/lib/worked_example::collapsed_rows_have_the_same_posterior",
        true,
    ),
    named(
        "anchored paths: the jackknife takes the first order of the weights' bias away",
        "anchored/lib/drawn_designs::the_jackknife_takes_the_first_order_away",
        true,
    ),
    named(
        "a wrong tail of the law is caught",
        "posterior/enumeration/a_wrong_tail_is_caught",
        true,
    ),
    named(
        "a missing term is caught",
        "posterior/enumeration/a_missing_telescoping_term_is_caught",
        true,
    ),
    named(
        "sampling with replacement is caught",
        "posterior/enumeration/sampling_with_replacement_at_the_top_is_caught",
        true,
    ),
    named(
        "a dropped last level is caught",
        "posterior/enumeration/a_dropped_last_level_is_caught",
        true,
    ),
];

/// Runs the enumerations.
pub fn gather(bench: &Bench) -> anyhow::Result<Evidence> {
    let mut evidence = Evidence::about("Is the estimator unbiased, and not just nearly?");
    let held = named::run(bench, &mut evidence, "Without statistics", TESTS)?;
    let cases: usize = evidence.tables[0]
        .rows
        .iter()
        .flat_map(|row| row[2].split("; "))
        .filter_map(|number| number.strip_prefix("cases ")?.parse::<usize>().ok())
        .sum();
    evidence.answer = format!(
        "{} by enumeration hold; {cases} cases of form, law, schedule and depths, each to 10⁻¹²",
        counted(held, "statement")
    );
    Ok(evidence)
}
