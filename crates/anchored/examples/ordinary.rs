//! Scratch.
use anchored::*;
use data::SparseRows;
use debias::engine::{Forgetful, Unobserved, replicate};
use debias::{Debiased, Depths, Form, Path, Scheme, Seed};
use models::generalised_linear::{Family, GeneralisedLinear};
use models::logistic::SparseLogistic;
use models::prior::{Prior, Priors};
use posterior::{Model, Smooth, SparseBlock};
use rand::RngExt;
use rand_distr::{Distribution, Poisson, StandardNormal, StudentT};
use samplers::Functional;
use std::time::Instant;

struct Counts;
impl Family for Counts {
    fn derivatives(&self, y: f64, eta: f64) -> [f64; 3] {
        let m = eta.exp();
        [y * eta - m, y - m, -m]
    }
}

fn zipf_cdf(levels: usize, power: f64) -> Vec<f64> {
    let mut c: Vec<f64> = (1..=levels).map(|k| (k as f64).powf(-power)).collect();
    let t: f64 = c.iter().sum();
    let mut s = 0.0;
    for x in &mut c {
        s += *x / t;
        *x = s;
    }
    c
}

fn main() {
    let name = std::env::args().nth(1).unwrap_or("rare".into());
    let n: usize = std::env::args().nth(2).map_or(1_000_000, |s| s.parse().unwrap());
    let target: f64 = std::env::args().nth(3).map_or(0.05, |s| s.parse().unwrap());
    let mut rng = Seed(7).stream(0);
    let rng = &mut rng;
    let normal = |rng: &mut debias::Rng| -> f64 { StandardNormal.sample(rng) };
    let label = |eta: f64, rng: &mut debias::Rng| {
        if rng.random::<f64>() < 1.0 / (1.0 + (-eta).exp()) { 1.0 } else { -1.0 }
    };
    let (mut rows, width);
    let mut psd = vec![];
    match &name[..] {
        "rare" => {
            width = 5;
            rows = SparseBlock::new(width);
            for i in 0..n {
                let x: Vec<f64> = (0..4).map(|_| normal(rng)).collect();
                let eta = -1.5 + 0.4 * x.iter().sum::<f64>();
                let mut y = label(eta, rng);
                if i < 15 {
                    y = if i < 3 { 1.0 } else { -1.0 };
                    rows.push(&[0, 1, 2, 3, 4], &[x[0], x[1], x[2], x[3], 1.0], y);
                } else {
                    rows.push(&[0, 1, 2, 3], &x, y);
                }
            }
            psd = vec![2.5; 6];
        }
        "heavy" => {
            width = 10;
            rows = SparseBlock::new(width);
            let b: Vec<f64> = (0..10).map(|_| 0.15 * normal(rng)).collect();
            let t = StudentT::new(2.2).unwrap();
            for _ in 0..n {
                let (mut ix, mut v) = (vec![], vec![]);
                let mut eta = -5.0;
                for j in 0..10 {
                    if rng.random::<f64>() < 0.05 {
                        let x: f64 = t.sample(rng);
                        ix.push(j as u16);
                        v.push(x);
                        eta += b[j] * x;
                    }
                }
                let y = label(eta, rng);
                rows.push(&ix, &v, y);
            }
            psd = vec![2.5; 11];
        }
        "tab" => {
            width = 405;
            rows = SparseBlock::new(width);
            let c = zipf_cdf(50, 1.8);
            let be: Vec<f64> = (0..400).map(|_| 0.6 * normal(rng)).collect();
            let bc: Vec<f64> = (0..5).map(|_| 0.3 * normal(rng)).collect();
            for _ in 0..n {
                let (mut ix, mut v) = (vec![], vec![]);
                let mut eta = -4.0;
                for k in 0..8 {
                    let u: f64 = rng.random();
                    let l = c.iter().position(|&x| u < x).unwrap_or(49);
                    ix.push((k * 50 + l) as u16);
                    v.push(1.0);
                    eta += be[k * 50 + l];
                }
                for k in 0..5 {
                    let x = normal(rng);
                    ix.push((400 + k) as u16);
                    v.push(x);
                    eta += bc[k] * x;
                }
                let y = label(eta, rng);
                rows.push(&ix, &v, y);
            }
            psd = [vec![1.5; 400], vec![5.0; 6]].concat();
        }
        "zipf" => {
            width = 301;
            rows = SparseBlock::new(width);
            let c = zipf_cdf(300, 1.7);
            let be: Vec<f64> = (0..300).map(|_| normal(rng)).collect();
            let xs: Vec<f64> = (0..64)
                .map(|i| {
                    use statrs::distribution::ContinuousCDF;
                    statrs::distribution::Normal::standard().inverse_cdf((i as f64 + 0.5) / 64.0)
                })
                .collect();
            for _ in 0..n {
                let u: f64 = rng.random();
                let l = c.iter().position(|&x| u < x).unwrap_or(299);
                let x = xs[rng.random_range(0..64)];
                let y = label(-4.0 + be[l] + 0.5 * x, rng);
                rows.push(&[l as u16, 300], &[1.0, x], y);
            }
            psd = vec![2.5; 302];
        }
        _ => {
            width = 203;
            rows = SparseBlock::new(width);
            let c = zipf_cdf(200, 1.6);
            let be: Vec<f64> = (0..200).map(|_| 0.7 * normal(rng)).collect();
            for _ in 0..n {
                let u: f64 = rng.random();
                let l = c.iter().position(|&x| u < x).unwrap_or(199);
                let x: Vec<f64> = (0..3).map(|_| normal(rng)).collect();
                let m: f64 = (-3.0 + be[l] + 0.4 * x[0] - 0.3 * x[1] + 0.2 * x[2] as f64).exp();
                let y: f64 = Poisson::new(m).unwrap().sample(rng);
                rows.push(&[l as u16, 200, 201, 202], &[1.0, x[0], x[1], x[2]], y);
            }
            psd = [vec![1.5; 200], vec![5.0; 4]].concat();
        }
    }
    let rows = SparseRows::new(rows);
    let prior =
        Priors::each(psd.iter().map(|&s| Prior::Gaussian { standard_deviation: s }).collect());
    if name == "pois" {
        run(
            &GeneralisedLinear::<_, SparseBlock>::new(Counts, width, prior).unwrap(),
            &rows,
            n,
            target,
        );
    } else {
        run(&SparseLogistic::new(width, prior).unwrap(), &rows, n, target);
    }
}

fn run<M: Smooth<Block = SparseBlock>>(model: &M, rows: &SparseRows, n: usize, target: f64) {
    let regression = model.regression().unwrap();
    let functionals = Functional::means(model.dimension());
    let seed = Seed(std::env::var("SEED").map_or(1, |s| s.parse().unwrap()));
    let begun = Instant::now();
    let anchored = AnchoredRows::find(model, regression, rows, seed).unwrap();
    let a = &anchored.anchor;
    println!(
        "kinds {} passes {} ({:.2} N) variance {:.3} step {:.3}  {:.2}s",
        anchored.rows.kinds(),
        a.passes,
        a.ledger.evaluations() as f64 / n as f64,
        a.variance,
        a.step,
        begun.elapsed().as_secs_f64()
    );
    let explored =
        Explored::new(model, regression, &anchored, &functionals, 16, seed, &Unobserved).unwrap();
    let errors: Vec<f64> = explored.trial.deviations.iter().map(|s| target * s).collect();
    let r = explored.replicates(&errors);
    let rel: Vec<f64> = explored
        .trial
        .variances
        .iter()
        .zip(&explored.trial.deviations)
        .map(|(v, s)| v / s / s)
        .collect();
    println!(
        "base {} first {:.0} levels {} points {} shares {:?} gradients {:.1} R {} worst var {:.4} predicted cost {:.2} N spent {:.2} N  {:.2}s",
        explored.base_rows(),
        explored.first_rows(),
        explored.levels(),
        explored.points(),
        explored.trial.shares,
        explored.trial.gradients,
        r,
        rel.iter().copied().fold(0.0, f64::max),
        explored.replicate_cost() * r as f64 / n as f64,
        explored.spent().evaluations() as f64 / n as f64,
        begun.elapsed().as_secs_f64()
    );
    let (path, spent) = explored.path(r, &Unobserved).unwrap();
    if let PointSource::Chains { chains, .. } = &path.points {
        println!("step {:?} acc {:.3}", chains[0].step_size, chains[0].acceptance());
    }
    println!(
        "chains done: {:.2} N {:.2}s",
        spent.evaluations() as f64 / n as f64,
        begun.elapsed().as_secs_f64()
    );
    let depths = Depths::draw(&law(path.levels()), Scheme::Independent, r, 1, seed).unwrap();
    let debiased = Debiased::new(&path, Form::AntitheticSum, depths).unwrap();
    let z = replicate(&debiased, 0..r as u64, seed.child("replicates"), &Forgetful, &Unobserved)
        .unwrap();
    let layout = path.layout();
    let (mut worst, mut wb) = (0.0_f64, 0.0_f64);
    let mut moved = 0.0_f64;
    for j in 0..model.dimension() {
        let s = debias::Summary::of(&z.functional(j)).unwrap();
        let m2 = debias::Summary::of(&z.functional(layout.second_moment(j))).unwrap();
        let b = debias::Summary::of(&z.functional(layout.remaining_bias(j))).unwrap();
        let sd = (m2.mean - (s.mean - a.centre()[j]).powi(2)).sqrt();
        worst = worst.max(s.standard_error / sd);
        wb = wb.max(b.mean.abs() / sd);
        moved = moved.max((s.mean - a.centre()[j]).abs() / sd);
        if model.dimension() < 12 {
            println!(
                "  {j}: {:.5} ± {:.5} sd {:.5} (laplace {:.5}) bias {:.5}±{:.5}",
                s.mean,
                s.standard_error,
                sd,
                a.deviation(j),
                b.mean / sd,
                b.standard_error / sd
            );
        }
    }
    let shares = z.functional(layout.share());
    println!(
        "worst se {:.4} sd; worst remaining bias {:.4} sd; moved {:.3} sd; least share {:.2}; total {:.2} N  {:.2}s",
        worst,
        wb,
        moved,
        shares.iter().copied().fold(1.0, f64::min),
        (spent + z.total_cost()).evaluations() as f64 / n as f64,
        begun.elapsed().as_secs_f64()
    );
}
