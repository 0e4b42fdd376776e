//! Figure 8 of the paper: running estimates of a stream's mean.

use crate::FigureError;
use crate::canvas::{Canvas, Drawing, INK, PALETTE};
use crate::legend::{Mark, legend};
use crate::running::{Panel, Series};
use plotters::prelude::*;
use records::Record;

pub(crate) struct Streaming;

impl Drawing for Streaming {
    const SIZE: (u32, u32) = (720, 400);

    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError> {
        let table = record.table("replicates")?;
        let count = table.rows() as f64;
        let series = |column: &str, method: &str, color| -> Result<Series, FigureError> {
            let rows = record.value(&format!("{method}/distinct rows"))?;
            let setup = record.value(&format!("{method}/set-up cost")).unwrap_or(0.0);
            Ok(Series { values: table.numbers(column)?, setup, cost: rows / count, color })
        };
        let (plot, side) = canvas.split(530);
        Panel {
            title: "",
            cost: "rows used and forgotten",
            value: "estimate of the mean",
            range: 0.0..20.0,
            references: vec![(10.0, INK)],
            series: vec![
                series("coupled_sum", "coupled-sum", PALETTE[0])?,
                series("antithetic_single_term", "antithetic-single-term", PALETTE[2])?,
                series("constant_batch", "constant-batch", PALETTE[1])?,
            ],
            steps: None,
        }
        .draw(&plot)?;
        let kept = record.quantity("running posterior/mean")?;
        legend(
            &side,
            &[
                (Mark::Line(PALETTE[1]), "constant batches".to_owned()),
                (Mark::Line(PALETTE[0]), "debiased, the paper's".to_owned()),
                (Mark::Line(PALETTE[2]), "debiased, antithetic\nsingle term".to_owned()),
                (Mark::Dashed(INK), "truth".to_owned()),
                (
                    Mark::Dot(INK),
                    format!(
                        "all rows kept in a\nrunning posterior:\n{:.2} ± {:.2}",
                        kept.value,
                        1.96 * kept.error.unwrap_or(0.0)
                    ),
                ),
            ],
        )
    }
}
