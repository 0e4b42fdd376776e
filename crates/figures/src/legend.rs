//! A legend beside the plot, where it hides nothing.

use crate::FigureError;
use crate::curve::Stroke;
use crate::paint::Canvas;
use plotters::prelude::*;

/// A mark and its text, in lines.
pub(crate) type Entry = (Mark, String);

/// How an entry is shown.
pub(crate) enum Mark {
    /// A line of this colour.
    Line(RGBColor),
    /// A curve through its shapes.
    Curve(RGBColor, Stroke),
    /// A row of short strokes.
    Dotted(RGBColor),
    /// A dashed line of reference.
    Dashed(RGBColor),
    /// A filled dot.
    Dot(RGBColor),
    /// An empty circle.
    Ring(RGBColor),
    /// A filled square.
    Square(RGBColor),
    /// A cross.
    Cross(RGBColor),
}

/// An entry with this text.
pub(crate) fn entry(mark: Mark, text: &str) -> Entry {
    (mark, text.to_owned())
}

/// Draws entries one below the other from the top of the canvas.
pub(crate) fn legend<B: DrawingBackend>(
    canvas: &Canvas<B>,
    entries: &[Entry],
) -> Result<(), FigureError> {
    let unit = |points: u32| canvas.points(points) as i32;
    let (left, right, middle) = (unit(6), unit(26), unit(16));
    let style = canvas.text(11);
    let mut top = unit(40);
    for (mark, label) in entries {
        let y = top + unit(4);
        let line =
            |color: &RGBColor| PathElement::new(vec![(left, y), (right, y)], canvas.line(color, 2));
        match mark {
            Mark::Line(color) => canvas.area.draw(&line(color)),
            Mark::Curve(color, stroke) => {
                canvas.area.draw(&line(color)).and_then(|()| match stroke {
                    Stroke::Marked(marker) => {
                        canvas.area.draw(&marker.at((middle, y), canvas.points(3), *color))
                    }
                    _ => canvas.area.draw(&Circle::new((middle, y), unit(3), color.filled())),
                })
            }
            Mark::Dotted(color) => (0..5).try_for_each(|dot| {
                let x = left + dot * (right - left) / 4;
                canvas.area.draw(&Circle::new((x, y), unit(1), color.filled()))
            }),
            Mark::Dashed(color) => (0..3).try_for_each(|dash| {
                let x = left + dash * (right - left) * 3 / 8;
                let stroke = vec![(x, y), (x + (right - left) / 4, y)];
                canvas.area.draw(&PathElement::new(stroke, canvas.line(color, 1)))
            }),
            Mark::Dot(color) => {
                canvas.area.draw(&Circle::new((middle, y), unit(4), color.filled()))
            }
            Mark::Ring(color) => {
                canvas.area.draw(&Circle::new((middle, y), unit(5), canvas.line(color, 2)))
            }
            Mark::Square(color) => {
                let corners = [(middle - unit(3), y - unit(3)), (middle + unit(3), y + unit(3))];
                canvas.area.draw(&Rectangle::new(corners, color.filled()))
            }
            Mark::Cross(color) => {
                canvas.area.draw(&Cross::new((middle, y), unit(5), canvas.line(color, 2)))
            }
        }?;
        for line in label.split('\n') {
            canvas.area.draw_text(line, &style, (right + unit(8), top))?;
            top += unit(15);
        }
        top += unit(7);
    }
    Ok(())
}
