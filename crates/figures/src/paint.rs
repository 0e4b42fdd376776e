//! One sheet, two backends: sizes, fonts and pixels in one place.

use crate::curve::{Curve, Stroke};
use crate::legend::legend;
use crate::marker::Marker;
use crate::sheet::{Axis, Frame, Item, Labels, Panel, Part, Place, Sheet};
use crate::style::INK;
use crate::ticks::{fitted, one_two_five, plain, power_of_ten};
use crate::{FigureError, Picture};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};
use std::ops::Range;

/// The height of a title in points, with the space below it.
const TITLE: u32 = 16;

/// The font of the PNG; the SVG names fallbacks for readers without it.
const FONT: &str = "DejaVu Sans, Verdana, sans-serif";

/// Grid lines.
const FAINT: RGBColor = RGBColor(228, 228, 228);

/// Draws a sheet as SVG and as PNG.
pub(crate) fn render(sheet: &Sheet) -> Result<Picture, FigureError> {
    register_font(FONT, FontStyle::Normal, dejavu::sans::regular())
        .map_err(|_| FigureError::Font)?;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, sheet.size).into_drawing_area();
        paint(sheet, &Canvas { area, scale: 1 })?;
    }
    // Drawn at twice the size of the picture and averaged: smooth lines at any angle.
    const OVERSAMPLING: u32 = 2;
    const RESOLUTION: u32 = 2;
    let scale = OVERSAMPLING * RESOLUTION;
    let (width, height) = (sheet.size.0 * scale, sheet.size.1 * scale);
    let mut pixels = vec![0; (width * height * 3) as usize];
    {
        let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
        paint(sheet, &Canvas { area, scale })?;
    }
    let small = average(&pixels, (width, height), OVERSAMPLING);
    Ok(Picture { svg, png: png(&small, (width / OVERSAMPLING, height / OVERSAMPLING))? })
}

fn paint<B: DrawingBackend>(sheet: &Sheet, canvas: &Canvas<B>) -> Result<(), FigureError> {
    canvas.area.fill(&WHITE)?;
    for (place, part) in &sheet.parts {
        let canvas = canvas.at(*place);
        match part {
            Part::Panel(content) => panel(&canvas, content)?,
            Part::Legend(entries) => legend(&canvas, entries)?,
        }
    }
    Ok(canvas.area.present()?)
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

    /// A part of the canvas.
    fn at(&self, place: Place) -> Canvas<B> {
        let corner = (self.points(place.left), self.points(place.top));
        let size = (self.points(place.width), self.points(place.height));
        Canvas { area: self.area.clone().shrink(corner, size), scale: self.scale }
    }
}

/// A linear or logarithmic coordinate.
enum Scale {
    Linear(RangedCoordf64),
    Logarithmic(LogCoord<f64>),
}

impl From<&Axis> for Scale {
    fn from(axis: &Axis) -> Scale {
        match axis.logarithmic {
            false => Scale::Linear(axis.range.clone().into()),
            true => Scale::Logarithmic(axis.range.clone().log_scale().into()),
        }
    }
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        match self {
            Scale::Linear(scale) => scale.map(value, limit),
            Scale::Logarithmic(scale) => scale.map(value, limit),
        }
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        match self {
            Scale::Linear(scale) => scale.key_points(hint),
            Scale::Logarithmic(scale) => scale.key_points(hint),
        }
    }

    fn range(&self) -> Range<f64> {
        match self {
            Scale::Linear(scale) => scale.range(),
            Scale::Logarithmic(scale) => scale.range(),
        }
    }
}

type Chart<'a, B> = ChartContext<'a, B, Cartesian2d<Scale, Scale>>;

fn labels(axis: &Axis) -> Box<dyn Fn(&f64) -> String> {
    match axis.labels {
        Labels::Numbers => Box::new(plain),
        Labels::Powers => Box::new(power_of_ten),
        Labels::OneTwoFive => Box::new(one_two_five),
        Labels::Fitted => Box::new(fitted(&axis.range)),
        Labels::Blank => Box::new(|_| String::new()),
    }
}

fn panel<B: DrawingBackend>(canvas: &Canvas<B>, panel: &Panel) -> Result<(), FigureError> {
    let Frame { margin, beside, .. } = panel.frame;
    let mut above = margin;
    if let Some(title) = &panel.title {
        // From the axis on, so that a long title does not meet the topmost label of the axis.
        let place = (canvas.points(margin + beside) as i32, canvas.points(margin / 2 + 2) as i32);
        canvas.area.draw(&Text::new(title.as_str(), place, canvas.text(13)))?;
        above += TITLE;
    }
    let mut chart = ChartBuilder::on(&canvas.area)
        .margin(canvas.points(margin))
        .margin_top(canvas.points(above))
        .margin_right(canvas.points(panel.frame.right))
        .x_label_area_size(canvas.points(panel.frame.below))
        .y_label_area_size(canvas.points(panel.frame.beside))
        .build_cartesian_2d(Scale::from(&panel.x), Scale::from(&panel.y))?;
    chart
        .configure_mesh()
        .bold_line_style(canvas.line(&FAINT, 1))
        .light_line_style(TRANSPARENT)
        .axis_style(canvas.line(&INK, 1))
        .label_style(canvas.text(11))
        .axis_desc_style(canvas.text(12))
        .set_all_tick_mark_size(canvas.points(4))
        .x_labels(panel.x.ticks)
        .x_label_formatter(&labels(&panel.x))
        .y_label_formatter(&labels(&panel.y))
        .x_desc(panel.x.words)
        .y_desc(panel.y.words)
        .draw()?;
    for item in &panel.items {
        if let Item::Curve(curve) = item {
            band(&mut chart, &panel.y.range, curve)?;
        }
    }
    panel.items.iter().try_for_each(|item| draw(canvas, &mut chart, &panel.y.range, item))
}

fn band<B: DrawingBackend>(
    chart: &mut Chart<'_, B>,
    range: &Range<f64>,
    curve: &Curve,
) -> Result<(), FigureError> {
    if curve.band.is_empty() {
        return Ok(());
    }
    let clip = |value: f64| value.clamp(range.start, range.end);
    let above = curve.band.iter().map(|point| (point.0, clip(point.2)));
    let below = curve.band.iter().rev().map(|point| (point.0, clip(point.1)));
    let outline = above.chain(below).collect::<Vec<_>>();
    let shape = Polygon::new(outline, curve.color.mix(curve.shade).filled());
    chart.draw_series([shape])?;
    Ok(())
}

fn draw<B: DrawingBackend>(
    canvas: &Canvas<B>,
    chart: &mut Chart<'_, B>,
    range: &Range<f64>,
    item: &Item,
) -> Result<(), FigureError> {
    let points = |points: &u32| canvas.points(*points);
    match item {
        Item::Curve(curve) => line(canvas, chart, range, curve)?,
        Item::Path(path, color, width) => {
            chart.draw_series([PathElement::new(path.clone(), canvas.line(color, *width))])?;
        }
        Item::Dot(point, color, radius) => {
            chart.draw_series([Circle::new(*point, points(radius), color.filled())])?;
        }
        Item::Ring(point, color, radius, width) => {
            let style = canvas.line(color, *width);
            chart.draw_series([Circle::new(*point, points(radius), style)])?;
        }
        Item::Square(point, color, half) => {
            let half = points(half) as i32;
            let square = Rectangle::new([(-half, -half), (half, half)], color.filled());
            chart.draw_series([EmptyElement::at(*point) + square])?;
        }
        Item::Cross(point, color, half) => {
            chart.draw_series([Cross::new(*point, points(half), canvas.line(color, 2))])?;
        }
        Item::Cell(corners, color) => {
            chart.draw_series([Rectangle::new(*corners, color.filled())])?;
        }
        Item::Text(text, point, offset, color) => {
            let scale = canvas.scale as i32;
            let offset = (scale * offset.0, scale * offset.1);
            let words = Text::new(text.clone(), offset, canvas.text(11).color(color));
            chart.draw_series([EmptyElement::at(*point) + words])?;
        }
    }
    Ok(())
}

fn line<B: DrawingBackend>(
    canvas: &Canvas<B>,
    chart: &mut Chart<'_, B>,
    range: &Range<f64>,
    curve: &Curve,
) -> Result<(), FigureError> {
    let clip = |&(x, y): &(f64, f64)| (x, y.clamp(range.start, range.end));
    let points: Vec<(f64, f64)> = curve.points.iter().map(clip).collect();
    let color = &curve.color;
    if let Stroke::Dashes(dash) = curve.stroke {
        let dash = canvas.points(dash) as i32;
        let dashes = DashedLineSeries::new(points, dash, dash, canvas.line(color, 1));
        chart.draw_series(dashes)?;
        return Ok(());
    }
    let line = LineSeries::new(points.iter().copied(), canvas.line(color, 2));
    chart.draw_series(line)?;
    let dot = |&point: &(f64, f64)| Circle::new(point, canvas.points(3), color.filled());
    let shape = |marker: Marker, &point: &(f64, f64)| marker.at(point, canvas.points(3), *color);
    match curve.stroke {
        Stroke::Marked(marker) => {
            chart.draw_series(points.iter().map(|point| shape(marker, point)))?;
        }
        Stroke::Dotted => {
            chart.draw_series(points.iter().map(dot))?;
        }
        // A curve too short to be seen still has its end.
        Stroke::Line => {
            chart.draw_series(points.last().map(dot))?;
        }
        _ => {}
    }
    Ok(())
}

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for FigureError {
    fn from(error: DrawingAreaErrorKind<E>) -> FigureError {
        FigureError::Drawing(error.to_string())
    }
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
