//! Figure 1 of the paper: paths, stops, estimates, their density and the exact posterior mean.

use crate::density::density;
use crate::prelude::*;

/// Cells of the density along each axis.
const CELLS: usize = 56;
/// All estimates.
const GREY: RGBColor = RGBColor(150, 150, 150);

/// Paths of the paper's estimator.
pub(crate) fn gaussian_path(record: &Record) -> Result<Sheet, FigureError> {
    let method = MethodId::CoupledSum;
    let estimates = record.table(method.name())?;
    let (x, y) = (estimates.numbers("mean_1")?, estimates.numbers("mean_2")?);
    if x.is_empty() {
        return Err(FigureError::Empty { table: method.to_string() });
    }
    let paths = record.table("paths")?;
    let range_x = range(&x, &paths.numbers("mean_1")?);
    let range_y = range(&y, &paths.numbers("mean_2")?);
    let inside = |point: &Point| range_x.contains(&point.0) && range_y.contains(&point.1);
    let all: Vec<Point> = x.iter().copied().zip(y.iter().copied()).collect();
    let outside = all.iter().filter(|point| !inside(point)).count();

    let mut items = cells(&x, &y, &range_x, &range_y);
    items.extend(all.iter().filter(|point| inside(point)).map(|&point| Item::Dot(point, GREY, 1)));
    let mut shown = paths.numbers("replicate")?;
    shown.dedup();
    for (replicate, &color) in shown.into_iter().zip(PALETTE.iter().cycle()) {
        let points = Rows::at(paths, "replicate", replicate)?.points("mean_1", "mean_2")?;
        let Some(&stop) = points.last() else { continue };
        let estimate = all[replicate as usize - 1];
        items.push(Item::Path(points.clone(), color, 2));
        items.extend(points.iter().map(|&point| Item::Dot(point, color, 2)));
        let dots = (1..24).map(|step| {
            let share = f64::from(step) / 24.0;
            (stop.0 + share * (estimate.0 - stop.0), stop.1 + share * (estimate.1 - stop.1))
        });
        items.extend(dots.filter(inside).map(|point| Item::Dot(point, color, 1)));
        items.push(Item::Square(stop, color, 4));
        if inside(&estimate) {
            items.push(Item::Dot(estimate, color, 4));
        }
    }
    let mean = |coordinate: &str| record.value(&method.quantity(coordinate));
    items.push(Item::Ring((mean("mean_1")?, mean("mean_2")?), BLACK, 7, 2));
    let truth = (record.value("posterior mean/1")?, record.value("posterior mean/2")?);
    items.push(Item::Cross(truth, BLACK, 6));

    let x = Axis::linear("posterior mean of μ₁", range_x.clone());
    let y = Axis::linear("posterior mean of μ₂", range_y.clone());
    let panel =
        Panel::new(Frame { margin: 12, right: 12, below: 42, beside: 52 }, x, y).with(items);
    let legend = vec![
        entry(Mark::Line(PALETTE[0]), "path of partial\nposterior means"),
        entry(Mark::Square(PALETTE[0]), "where it stops"),
        entry(Mark::Dotted(PALETTE[0]), "to its estimate"),
        entry(Mark::Dot(PALETTE[0]), "estimate of the path"),
        (Mark::Dot(GREY), format!("all {} estimates\n({outside} outside)", all.len())),
        entry(Mark::Ring(BLACK), "mean of estimates"),
        entry(Mark::Cross(BLACK), "exact posterior mean"),
    ];
    Ok(Sheet::row((680, 470), &[480], vec![panel], legend))
}

/// The density, darkest where estimates are densest.
fn cells(x: &[f64], y: &[f64], range_x: &Range<f64>, range_y: &Range<f64>) -> Vec<Item> {
    let ((grid_x, step_x), (grid_y, step_y)) = (grid(range_x), grid(range_y));
    let heights = density(x, y, &grid_x, &grid_y);
    let highest = heights.iter().flatten().copied().fold(0.0, f64::max);
    let mut cells = Vec::new();
    for (row, &y) in heights.iter().zip(&grid_y) {
        for (&height, &x) in row.iter().zip(&grid_x) {
            let shade = 0.6 * height / highest;
            // Paler cells would hide the grid and show nothing.
            if shade >= 0.05 {
                let low = (x - 0.5 * step_x, y - 0.5 * step_y);
                let high = (x + 0.5 * step_x, y + 0.5 * step_y);
                cells.push(Item::Cell([low, high], blend(PALETTE[5], shade)));
            }
        }
    }
    cells
}

/// The range of the middle 94 % of the estimates, a few of which lie far out, and of all paths.
fn range(estimates: &[f64], paths: &[f64]) -> Range<f64> {
    let low = paths.iter().copied().fold(quantile(estimates, 0.03), f64::min);
    let high = paths.iter().copied().fold(quantile(estimates, 0.97), f64::max);
    let room = 0.06 * (high - low).max(1e-12);
    low - room..high + room
}

fn grid(range: &Range<f64>) -> (Vec<f64>, f64) {
    let step = (range.end - range.start) / CELLS as f64;
    ((0..CELLS).map(|cell| range.start + (cell as f64 + 0.5) * step).collect(), step)
}

fn blend(color: RGBColor, share: f64) -> RGBColor {
    let mix = |channel: u8| (255.0 + share * (f64::from(channel) - 255.0)).round() as u8;
    RGBColor(mix(color.0), mix(color.1), mix(color.2))
}
