//! The unseen-level audit.
//!
//! With a thousand replicates at α = 1 and N = 10⁸ the top levels are almost never drawn, and the
//! spread of the replicates cannot see what they hold: s/√R is then too small, silently. The
//! audit says how deep the run went, how likely the levels are that it never saw, and what share
//! of the variance they hold by the fitted decay.

use crate::{Tradeoff, Truncation};

/// What a run has not seen.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Unseen {
    /// The deepest level visited.
    pub deepest: usize,
    /// L.
    pub levels: usize,
    /// Chance that a replicate enters a level that no replicate entered.
    pub mass: f64,
    /// Share of the variance that hides there, by the moments given.
    pub hidden_share: f64,
}

impl Unseen {
    /// Audits the depths of a run against the moments of its form.
    pub fn audit(depths: &[u16], law: &Truncation, tradeoff: &Tradeoff) -> Unseen {
        let deepest = depths.iter().copied().max().map_or(0, usize::from);
        let mut visited = vec![false; law.levels() + 1];
        if tradeoff.form.is_sum() {
            visited[..=deepest].fill(true);
        } else {
            depths.iter().for_each(|&depth| visited[usize::from(depth)] = true);
            visited[1] = true;
        }
        let unseen = || (2..=law.levels()).filter(|&level| !visited[level]);
        let mass = unseen().map(|level| law.mass(level)).sum();
        let hidden: f64 = unseen().map(|level| tradeoff.contribution(law, level)).sum();
        let hidden_share = (hidden / tradeoff.variance(law)).clamp(0.0, 1.0);
        Unseen { deepest, levels: law.levels(), mass, hidden_share }
    }

    /// One line for people.
    pub fn sentence(&self) -> String {
        if self.mass == 0.0 {
            return format!("all {} levels were visited", self.levels);
        }
        format!(
            "deepest level {} of {}; levels with probability {:.1e} were never visited and hold \
             about {:.1} % of the variance",
            self.deepest,
            self.levels,
            self.mass,
            100.0 * self.hidden_share
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Form;

    #[test]
    fn levels_never_drawn_are_counted_by_form() {
        let law = Truncation::from_masses(vec![0.5, 0.25, 0.125, 0.125]).unwrap();
        let tradeoff =
            |form| Tradeoff { form, gains: vec![0.0, 1.0, 1.0, 1.0], costs: vec![1.0; 4] };
        let sum = Unseen::audit(&[1, 3, 1], &law, &tradeoff(Form::CoupledSum));
        assert_eq!((sum.deepest, sum.mass), (3, 0.125));
        // Contributions 2, 4 and 8; only the last is unseen.
        assert!((sum.hidden_share - 8.0 / 14.0).abs() < 1e-12);
        let single = Unseen::audit(&[1, 3, 1], &law, &tradeoff(Form::SingleTerm));
        assert_eq!(single.mass, 0.375);
        assert!((single.hidden_share - 12.0 / 20.0).abs() < 1e-12);
        let all = Unseen::audit(&[1, 2, 3, 4], &law, &tradeoff(Form::SingleTerm));
        assert_eq!(all.sentence(), "all 4 levels were visited");
    }
}
