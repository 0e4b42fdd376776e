//! Shapes of points, for charts with more curves than colours that can be told apart.

use plotters::prelude::*;
use std::ops::Add;

/// A polygon of pixels around a point of a chart.
type Placed<C, B> = <EmptyElement<C, B> as Add<Polygon<(i32, i32)>>>::Output;

/// A filled shape, where a dot has its place already.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Marker {
    Square,
    Triangle,
    Diamond,
}

impl Marker {
    /// The shape around a point, about as large as a dot of this radius.
    pub(crate) fn at<B: DrawingBackend, C>(
        self,
        point: C,
        radius: u32,
        color: RGBColor,
    ) -> Placed<C, B> {
        let r = radius as i32;
        let wide = 3 * r / 2;
        let corners = match self {
            Marker::Square => vec![(-r, -r), (r, -r), (r, r), (-r, r)],
            Marker::Triangle => vec![(0, -wide), (wide, r), (-wide, r)],
            Marker::Diamond => vec![(0, -wide), (wide, 0), (0, wide), (-wide, 0)],
        };
        EmptyElement::at(point) + Polygon::new(corners, color.filled())
    }
}
