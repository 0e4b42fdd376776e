//! A figure as data: panels and legends, where they stand, and what is drawn on them.

use crate::curve::Curve;
use crate::legend::Entry;
use plotters::style::RGBColor;
use std::ops::Range;

/// A figure: its size in points, and its parts in the order in which they are drawn.
pub(crate) struct Sheet {
    pub(crate) size: (u32, u32),
    pub(crate) parts: Vec<(Place, Part)>,
}

/// A rectangle in points, from the upper left corner.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub(crate) left: u32,
    pub(crate) top: u32,
    pub(crate) width: u32,
    pub(crate) height: u32,
}

pub(crate) enum Part {
    Panel(Panel),
    Legend(Vec<Entry>),
}

impl Sheet {
    /// Panels of these widths side by side, and a legend in the space right of them.
    pub(crate) fn row(
        size: (u32, u32),
        widths: &[u32],
        panels: Vec<Panel>,
        legend: Vec<Entry>,
    ) -> Sheet {
        Sheet::grid(size, widths, &[size.1], panels, legend)
    }

    /// Panels in rows of these heights and columns of these widths, and a legend right of them.
    pub(crate) fn grid(
        size: (u32, u32),
        widths: &[u32],
        heights: &[u32],
        panels: Vec<Panel>,
        legend: Vec<Entry>,
    ) -> Sheet {
        let mut parts = Vec::new();
        for (index, panel) in panels.into_iter().enumerate() {
            let (row, column) = (index / widths.len(), index % widths.len());
            let (left, top) = (widths[..column].iter().sum(), heights[..row].iter().sum());
            let place = Place { left, top, width: widths[column], height: heights[row] };
            parts.push((place, Part::Panel(panel)));
        }
        let left: u32 = widths.iter().sum();
        let side = Place { left, top: 0, width: size.0 - left, height: size.1 };
        parts.push((side, Part::Legend(legend)));
        Sheet { size, parts }
    }

    /// This sheet and another one right of it.
    pub(crate) fn beside(mut self, other: Sheet) -> Sheet {
        let width = self.size.0;
        let shifted = |place: Place| Place { left: place.left + width, ..place };
        self.parts.extend(other.parts.into_iter().map(|(place, part)| (shifted(place), part)));
        self.size.0 += other.size.0;
        self
    }
}

/// A pair of axes and what is drawn on them.
pub(crate) struct Panel {
    /// A line above the panel; an empty one keeps its space.
    pub(crate) title: Option<String>,
    pub(crate) frame: Frame,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    /// Bands of curves are drawn first, then everything in this order.
    pub(crate) items: Vec<Item>,
}

impl Panel {
    /// Empty, without a title.
    pub(crate) fn new(frame: Frame, x: Axis, y: Axis) -> Panel {
        Panel { title: None, frame, x, y, items: Vec::new() }
    }

    /// With more items on top of the others.
    pub(crate) fn with(mut self, items: impl IntoIterator<Item: Into<Item>>) -> Panel {
        self.items.extend(items.into_iter().map(Into::into));
        self
    }

    /// With a title.
    pub(crate) fn titled(self, title: &str) -> Panel {
        Panel { title: Some(title.to_owned()), ..self }
    }
}

/// Space around a panel, in points.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    /// On all sides but the right.
    pub(crate) margin: u32,
    pub(crate) right: u32,
    /// For the labels of the horizontal axis.
    pub(crate) below: u32,
    /// For the labels of the vertical axis.
    pub(crate) beside: u32,
}

impl Frame {
    /// One panel, or one per row.
    pub(crate) const SINGLE: Frame = Frame { margin: 10, right: 18, below: 42, beside: 56 };
    /// One of several in a row.
    pub(crate) const ROW: Frame = Frame { margin: 10, right: 16, below: 42, beside: 54 };
    /// A small one.
    pub(crate) const SMALL: Frame = Frame { margin: 8, right: 8, below: 40, beside: 54 };
}

/// One axis.
pub(crate) struct Axis {
    pub(crate) words: &'static str,
    pub(crate) range: Range<f64>,
    pub(crate) logarithmic: bool,
    pub(crate) labels: Labels,
    /// The number of ticks aimed at; the horizontal axis alone obeys.
    pub(crate) ticks: usize,
}

/// How ticks are labelled.
#[derive(Clone, Copy)]
pub(crate) enum Labels {
    /// 0.25, without trailing zeros.
    Numbers,
    /// 10³, and nothing between powers of ten.
    Powers,
    /// 1, 2 and 5 times powers of ten.
    OneTwoFive,
    /// Numbers with as many digits as it takes to tell the ends of the axis apart.
    Fitted,
    /// None.
    Blank,
}

impl Axis {
    /// An axis with equal steps.
    pub(crate) fn linear(words: &'static str, range: Range<f64>) -> Axis {
        Axis { words, range, logarithmic: false, labels: Labels::Numbers, ticks: 7 }
    }

    /// A logarithmic axis.
    pub(crate) fn log(words: &'static str, range: Range<f64>) -> Axis {
        Axis { words, range, logarithmic: true, labels: Labels::Powers, ticks: 7 }
    }

    /// A logarithmic axis over few powers of ten, with labels between them where hardly one of them
    /// would be labelled.
    pub(crate) fn short_log(words: &'static str, range: Range<f64>) -> Axis {
        if range.end >= 50.0 * range.start {
            return Axis::log(words, range);
        }
        // Ticks between powers of ten come only above the first power on the axis.
        let start = 10_f64.powf(range.start.log10().floor());
        let axis = Axis::log(words, start..range.end);
        Axis { labels: Labels::OneTwoFive, ticks: 30, ..axis }
    }

    /// The same axis with other labels.
    pub(crate) fn labelled(self, labels: Labels) -> Axis {
        Axis { labels, ..self }
    }
}

/// A point of a panel, in the units of its axes.
pub(crate) type Point = (f64, f64);

/// One thing on a panel; lengths are in points.
pub(crate) enum Item {
    Curve(Curve),
    /// A path and its width.
    Path(Vec<Point>, RGBColor, u32),
    /// A filled circle of this radius.
    Dot(Point, RGBColor, u32),
    /// A circle of this radius and width.
    Ring(Point, RGBColor, u32, u32),
    /// A filled square of this half side.
    Square(Point, RGBColor, u32),
    /// A cross of this half side.
    Cross(Point, RGBColor, u32),
    /// A filled rectangle between two corners.
    Cell([Point; 2], RGBColor),
    /// Text whose upper left corner is this far right of and below a point.
    Text(String, Point, (i32, i32), RGBColor),
}

impl From<Curve> for Item {
    fn from(curve: Curve) -> Item {
        Item::Curve(curve)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_axis_starts_at_a_power_of_ten() {
        assert_eq!(Axis::short_log("", 1017.0..32_000.0).range.start, 1000.0);
        assert_eq!(Axis::short_log("", 17.0..32_000.0).range.start, 17.0);
    }
}
