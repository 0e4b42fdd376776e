//! Kernels, couplings and baselines: against closed forms, against quadrature, and by Geweke's test.

use super::Bench;
use super::evidence::{Evidence, counted};
use super::named::{self, Named, named};

const TESTS: &[Named] = &[
    named(
        "every kernel leaves the joint law of parameters and data alone (Geweke)",
        "samplers/geweke/every_kernel_leaves_the_joint_law_alone",
        true,
    ),
    named(
        "a missing Hastings ratio is seen",
        "samplers/geweke/a_missing_hastings_ratio_is_seen",
        true,
    ),
    named("forgotten weights are seen", "samplers/geweke/forgotten_weights_are_seen", true),
    named(
        "every kernel has the moments of a correlated Gaussian",
        "samplers/every_kernel/moments_of_a_correlated_gaussian",
        true,
    ),
    named(
        "every kernel has the moments of a density with a kink",
        "samplers/every_kernel/moments_at_a_kink",
        true,
    ),
    named(
        "walls inside the support are respected",
        "samplers/every_kernel/a_wall_inside_the_support_is_respected",
        false,
    ),
    named(
        "trajectories run back to where they came from",
        "samplers/lib/kernels::hmc::tests::a_trajectory_runs_back_to_where_it_came_from",
        true,
    ),
    named(
        "each coupled chain by itself is the plain kernel",
        "samplers/every_coupling/each_chain_by_itself_is_the_plain_kernel",
        true,
    ),
    named(
        "chains that are together stay together",
        "samplers/every_coupling/chains_that_are_together_stay_together",
        true,
    ),
    named(
        "time averages of coupled chains are unbiased",
        "samplers/every_coupling/the_time_average_is_unbiased",
        true,
    ),
    named(
        "estimates from coupled chains are what their definition says",
        "samplers/every_coupling/estimates_are_what_the_definition_says",
        true,
    ),
    named(
        "proposals meet as often as any coupling could",
        "samplers/every_coupling/proposals_meet_as_often_as_they_can",
        true,
    ),
    named(
        "the bound on total variation covers the distance",
        "samplers/every_coupling/the_bound_on_total_variation_covers_the_distance",
        false,
    ),
    named(
        "coupled levels telescope to the full posterior",
        "samplers/levels/a_path_of_coupled_levels_telescopes_to_the_full_posterior",
        false,
    ),
    named(
        "NUTS finds the closed form of E σ",
        "samplers/closed_form/nuts_finds_the_posterior_mean_of_sigma",
        false,
    ),
    named(
        "full chains: every kernel against quadrature",
        "baselines/exact/full_chains_find_the_posterior",
        false,
    ),
    named("Firefly against quadrature", "baselines/exact/fireflies_find_the_posterior", false),
    named("Zig-Zag against quadrature", "baselines/exact/zig_zags_find_the_posterior", false),
    named(
        "IBIS against quadrature, with its evidence",
        "baselines/exact/particles_find_the_posterior_and_its_evidence",
        false,
    ),
    named(
        "SMH-2, block-Poisson and HMC-ECS against quadrature",
        "baselines/taylor/answers_are_those_of_quadrature",
        false,
    ),
    named(
        "UBUBU against quadrature",
        "baselines/taylor/kinetic_answers_are_those_of_quadrature",
        false,
    ),
    named(
        "a quadratic that is not that of the rows is caught",
        "baselines/taylor/a_quadratic_that_is_not_the_rows_is_caught",
        false,
    ),
    named(
        "a first batch that enters twice or never is caught",
        "baselines/exact/a_first_batch_that_enters_twice_or_never_is_caught",
        false,
    ),
    named("SGLD is as biased as theory says", "baselines/biased/sgld_is_too_wide", false),
    named("SGHMC is as biased as theory says", "baselines/biased/sghmc_is_too_hot", false),
    named("austerity is as biased as theory says", "baselines/biased/austerity_is_too_wide", false),
    named(
        "a test that sees all rows makes austerity and the confidence sampler exact",
        "baselines/biased/a_test_that_sees_all_rows_is_exact",
        false,
    ),
    named(
        "consensus is exact for Gaussians",
        "baselines/biased/consensus_is_exact_for_gaussians",
        false,
    ),
    named(
        "GP-SVI has the evidence as its bound when the inducing points are the data",
        "baselines/gp_svi/the_bound_is_the_evidence_when_the_inducing_points_are_the_data",
        false,
    ),
    named(
        "constant batches keep the bias that they should have",
        "baselines/full_and_constant/constant_batches_keep_their_bias",
        false,
    ),
    named(
        "families with one and two parameters against quadrature, through the front door",
        "unbiased-bayes/families/one_to_three_parameters_against_quadrature",
        true,
    ),
    named(
        "the anchored path and NUTS agree on every family",
        "unbiased-bayes/families/the_anchored_path_and_nuts_agree_on_2000_rows",
        false,
    ),
    named(
        "every functional against quadrature",
        "unbiased-bayes/quantiles/every_functional_against_quadrature",
        false,
    ),
];

/// Runs the tests.
pub fn gather(bench: &Bench) -> anyhow::Result<Evidence> {
    let mut evidence =
        Evidence::about("Do the samplers, ours and the rivals', sample the right thing?");
    let caption = "Kernels, couplings and baselines";
    let held = named::run(bench, &mut evidence, caption, TESTS)?;
    evidence.answer = format!(
        "{} of Geweke's kind, against closed forms or against quadrature hold, for every kernel, coupling and baseline",
        counted(held, "test")
    );
    Ok(evidence)
}
