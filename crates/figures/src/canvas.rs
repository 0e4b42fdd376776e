//! One drawing, two backends: sizes, fonts and colours in one place.

use crate::{FigureError, Picture};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};
use records::Record;

/// The font of the PNG; the SVG names fallbacks for readers without it.
const FONT: &str = "DejaVu Sans, Verdana, sans-serif";

/// Okabe & Ito's colours, which stay apart for colour-blind readers and in print.
pub(crate) const PALETTE: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(64, 64, 64),
    RGBColor(140, 86, 75),
];

/// Text and axes.
pub(crate) const INK: RGBColor = RGBColor(34, 34, 34);
/// Grid lines.
const FAINT: RGBColor = RGBColor(228, 228, 228);

/// A figure's drawing code.
pub(crate) trait Drawing {
    /// Width and height in points of the SVG.
    const SIZE: (u32, u32);

    /// Draws the record.
    fn draw<B: DrawingBackend>(record: &Record, canvas: &Canvas<B>) -> Result<(), FigureError>;
}

/// An area to draw on, and how large a point is on it.
pub(crate) struct Canvas<B: DrawingBackend> {
    pub(crate) area: DrawingArea<B, Shift>,
    scale: u32,
}

impl<B: DrawingBackend> Canvas<B> {
    /// So many points in pixels.
    pub(crate) fn points(&self, points: u32) -> u32 {
        points * self.scale
    }

    /// Text of this size in points.
    pub(crate) fn text(&self, points: u32) -> TextStyle<'static> {
        TextStyle::from((FONT, self.points(points)).into_font()).color(&INK)
    }

    /// A line this wide in points.
    pub(crate) fn line(&self, color: &impl Color, points: u32) -> ShapeStyle {
        color.stroke_width(self.points(points))
    }

    /// The canvas cut in two, the left part so many points wide.
    pub(crate) fn split(&self, points: u32) -> (Canvas<B>, Canvas<B>) {
        let (left, right) = self.area.split_horizontally(self.points(points));
        (Canvas { area: left, scale: self.scale }, Canvas { area: right, scale: self.scale })
    }

    /// The canvas cut in two, the upper part so many points high.
    pub(crate) fn cut(&self, points: u32) -> (Canvas<B>, Canvas<B>) {
        let (top, bottom) = self.area.split_vertically(self.points(points));
        (Canvas { area: top, scale: self.scale }, Canvas { area: bottom, scale: self.scale })
    }
}

/// How an axis is written: its description, and its labels.
pub(crate) type Axis<'a> = (&'a str, &'a dyn Fn(&f64) -> String);

/// Draws axes, ticks and a faint grid.
pub(crate) fn axes<B, X, Y>(
    canvas: &Canvas<B>,
    chart: &mut ChartContext<'_, B, Cartesian2d<X, Y>>,
    x: Axis<'_>,
    y: Axis<'_>,
) -> Result<(), FigureError>
where
    B: DrawingBackend,
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    ticked_axes(canvas, chart, 7, x, y)
}

/// The same with this many ticks across.
pub(crate) fn ticked_axes<B, X, Y>(
    canvas: &Canvas<B>,
    chart: &mut ChartContext<'_, B, Cartesian2d<X, Y>>,
    ticks: usize,
    x: Axis<'_>,
    y: Axis<'_>,
) -> Result<(), FigureError>
where
    B: DrawingBackend,
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    chart
        .configure_mesh()
        .bold_line_style(canvas.line(&FAINT, 1))
        .light_line_style(TRANSPARENT)
        .axis_style(canvas.line(&INK, 1))
        .label_style(canvas.text(11))
        .axis_desc_style(canvas.text(12))
        .set_all_tick_mark_size(canvas.points(4))
        .x_labels(ticks)
        .x_label_formatter(x.1)
        .y_label_formatter(y.1)
        .x_desc(x.0)
        .y_desc(y.0)
        .draw()
        .map_err(failed)
}

/// Draws a figure as SVG and as PNG.
pub(crate) fn render<D: Drawing>(record: &Record) -> Result<Picture, FigureError> {
    register_font(FONT, FontStyle::Normal, dejavu::sans::regular())
        .map_err(|_| FigureError::Font)?;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, D::SIZE).into_drawing_area();
        paint::<D, _>(record, &Canvas { area, scale: 1 })?;
    }
    // Drawn at twice the size of the picture and averaged: smooth lines at any angle.
    const OVERSAMPLING: u32 = 2;
    const RESOLUTION: u32 = 2;
    let scale = OVERSAMPLING * RESOLUTION;
    let (width, height) = (D::SIZE.0 * scale, D::SIZE.1 * scale);
    let mut pixels = vec![0; (width * height * 3) as usize];
    {
        let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
        paint::<D, _>(record, &Canvas { area, scale })?;
    }
    let small = average(&pixels, (width, height), OVERSAMPLING);
    Ok(Picture { svg, png: png(&small, (width / OVERSAMPLING, height / OVERSAMPLING))? })
}

fn paint<D: Drawing, B: DrawingBackend>(
    record: &Record,
    canvas: &Canvas<B>,
) -> Result<(), FigureError> {
    canvas.area.fill(&WHITE).map_err(failed)?;
    D::draw(record, canvas)?;
    canvas.area.present().map_err(failed)
}

/// The library's error as ours.
pub(crate) fn failed<E: std::error::Error + Send + Sync>(
    error: DrawingAreaErrorKind<E>,
) -> FigureError {
    FigureError::Drawing(error.to_string())
}

/// Means of squares of pixels.
fn average(pixels: &[u8], (width, height): (u32, u32), side: u32) -> Vec<u8> {
    let mut small = Vec::with_capacity(pixels.len() / (side * side) as usize);
    for y in 0..height / side {
        for x in 0..width / side {
            for channel in 0..3 {
                let mut sum = 0;
                for (dy, dx) in (0..side).flat_map(|dy| (0..side).map(move |dx| (dy, dx))) {
                    let pixel = (y * side + dy) * width + x * side + dx;
                    sum += u32::from(pixels[(pixel * 3 + channel) as usize]);
                }
                small.push((sum / (side * side)) as u8);
            }
        }
    }
    small
}

fn png(pixels: &[u8], (width, height): (u32, u32)) -> Result<Vec<u8>, FigureError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(pixels)?;
        writer.finish()
    });
    written.map_err(|error| FigureError::Drawing(error.to_string()))?;
    Ok(bytes)
}
