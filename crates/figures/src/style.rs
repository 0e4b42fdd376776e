//! Colours and shapes, the same for a method in every figure.

use crate::curve::Stroke;
use crate::legend::{Entry, Mark};
use crate::marker::Marker;
use plotters::style::RGBColor;
use records::MethodId;

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

const SQUARES: Stroke = Stroke::Marked(Marker::Square);
const TRIANGLES: Stroke = Stroke::Marked(Marker::Triangle);
const DIAMONDS: Stroke = Stroke::Marked(Marker::Diamond);

/// The colour and shape of a method. Methods with dots debias or average batches, squares are exact
/// given all rows, triangles follow noisy gradients, diamonds approximate.
pub(crate) const fn style(method: MethodId) -> (RGBColor, Stroke) {
    match method {
        MethodId::Anchored => (PALETTE[3], Stroke::Dotted),
        MethodId::AnchoredUniform => (PALETTE[7], Stroke::Dotted),
        MethodId::BaseAlone => (PALETTE[6], Stroke::Dotted),
        MethodId::Auto => (PALETTE[4], Stroke::Dotted),
        MethodId::AnchoredSmoothPrior => (PALETTE[5], Stroke::Dotted),
        MethodId::AntitheticSingleTerm => (PALETTE[2], Stroke::Dotted),
        MethodId::AntitheticSum => (PALETTE[5], Stroke::Dotted),
        MethodId::SingleTerm => (PALETTE[1], Stroke::Dotted),
        MethodId::CoupledSum => (PALETTE[0], Stroke::Dotted),
        MethodId::ConstantBatch => (PALETTE[1], Stroke::Dotted),
        MethodId::FullNuts => (PALETTE[6], SQUARES),
        MethodId::LeapfrogNuts => (PALETTE[4], SQUARES),
        MethodId::NutsControlVariates => (PALETTE[0], SQUARES),
        MethodId::NutsCubic => (PALETTE[2], SQUARES),
        MethodId::NutsAllRowsLinear => (PALETTE[0], SQUARES),
        MethodId::NutsAllRowsCubic => (PALETTE[1], SQUARES),
        MethodId::Firefly => (PALETTE[4], SQUARES),
        MethodId::ZigZag => (PALETTE[5], SQUARES),
        MethodId::Ibis => (PALETTE[7], SQUARES),
        MethodId::ScalableMh => (PALETTE[1], SQUARES),
        MethodId::BlockPoisson => (PALETTE[2], SQUARES),
        MethodId::CollapsedNuts => (PALETTE[3], SQUARES),
        MethodId::Sgld => (PALETTE[2], TRIANGLES),
        MethodId::SgldControlVariates => (PALETTE[7], TRIANGLES),
        MethodId::Sghmc => (PALETTE[1], TRIANGLES),
        MethodId::HmcEcs => (PALETTE[0], TRIANGLES),
        MethodId::Ububu => (PALETTE[4], TRIANGLES),
        MethodId::Laplace => (PALETTE[6], DIAMONDS),
        MethodId::Mode => (PALETTE[0], DIAMONDS),
        MethodId::NextOrderLaplace => (PALETTE[1], DIAMONDS),
        MethodId::GaussianVi => (PALETTE[2], DIAMONDS),
        MethodId::Austerity => (PALETTE[3], DIAMONDS),
        MethodId::Confidence => (PALETTE[4], DIAMONDS),
        MethodId::Consensus => (PALETTE[7], DIAMONDS),
        MethodId::GpSvi => (PALETTE[3], Stroke::Dotted),
        _ => (INK, Stroke::Dotted),
    }
}

/// The colour of a method.
pub(crate) const fn color(method: MethodId) -> RGBColor {
    style(method).0
}

/// The debiased estimates, and the average they are compared with at the same expected cost.
pub(crate) const DEBIASED: [MethodId; 4] = [
    MethodId::CoupledSum,
    MethodId::AntitheticSingleTerm,
    MethodId::ConstantBatch,
    MethodId::Anchored,
];

/// Characters of a line of the legend.
const LINE: usize = 23;

/// Entries of a legend for methods that are lines.
pub(crate) fn lines(methods: &[MethodId]) -> Vec<Entry> {
    methods.iter().map(|&method| line(method)).collect()
}

/// An entry of a legend for a method that is a line.
pub(crate) fn line(method: MethodId) -> Entry {
    (Mark::Line(color(method)), wrapped(method.label(), LINE))
}

/// An entry of a legend for a method that is a curve with shapes.
pub(crate) fn shaped(method: MethodId) -> Entry {
    let (color, stroke) = style(method);
    (Mark::Curve(color, stroke), wrapped(method.label(), LINE))
}

/// Text in lines of at most so many characters, broken at spaces.
pub(crate) fn wrapped(text: &str, most: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_broken_at_spaces() {
        assert_eq!(
            wrapped("debiased, antithetic single term", LINE),
            "debiased, antithetic\nsingle term"
        );
        assert_eq!(wrapped("NUTS, control variates", LINE), "NUTS, control variates");
    }

    #[test]
    fn every_method_has_a_style_of_its_own() {
        // Forms, laws and control variates of NUTS are drawn apart from the line-up, in which all others meet.
        let apart = [
            MethodId::AntitheticSum,
            MethodId::SingleTerm,
            MethodId::LeapfrogNuts,
            MethodId::GpSvi,
            MethodId::NutsCubic,
            MethodId::NutsAllRowsLinear,
            MethodId::NutsAllRowsCubic,
        ];
        let met: Vec<_> = MethodId::ALL.iter().filter(|method| !apart.contains(method)).collect();
        for (place, &&one) in met.iter().enumerate() {
            assert!(met[..place].iter().all(|&&other| style(other) != style(one)), "{one}");
        }
    }
}
