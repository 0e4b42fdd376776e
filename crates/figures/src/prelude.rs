//! The words in which figures are written.

pub(crate) use crate::FigureError;
pub(crate) use crate::curve::{
    Curve, DASHED, Stroke, band_ends, decades, mean, middle, points_of, thinned,
};
pub(crate) use crate::legend::{Entry, Mark, entry};
pub(crate) use crate::rows::{Rows, distinct, grouped, names};
pub(crate) use crate::sheet::{Axis, Frame, Item, Labels, Panel, Point, Sheet};
pub(crate) use crate::style::{DEBIASED, INK, PALETTE, color, line, lines, shaped, style, wrapped};
pub(crate) use crate::ticks::in_words;
pub(crate) use plotters::style::{BLACK, RGBColor};
pub(crate) use records::{MethodId, Record, Table, quantile};
pub(crate) use std::ops::Range;
