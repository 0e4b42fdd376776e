//! The columns of an Arrow schema: what their cells are, and how many buffers they take.

use super::flat::Flat;
use crate::readers::stored::StoredKind;

/// Lists within lists.
const DEEPEST: usize = 64;

/// A column.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub name: String,
    pub kind: StoredKind,
    pub layout: Layout,
    /// The dictionary that its words are in, by its number, and how these lie.
    pub dictionary: Option<(i64, Layout)>,
    /// Nodes, buffers that are always there, and lists of buffers, children included.
    pub size: Size,
}

/// What a column takes of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Size {
    pub nodes: usize,
    pub buffers: usize,
    pub views: usize,
}

/// How the cells of a column lie in their buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// No buffers: all cells are gaps.
    Nothing,
    Bits,
    /// Whole numbers of so many bytes.
    Whole {
        bytes: usize,
        signed: bool,
    },
    /// Numbers of 4 or 8 bytes.
    Float {
        bytes: usize,
    },
    /// Text between offsets of 4 or 8 bytes.
    Text {
        bytes: usize,
    },
    /// Text in place or elsewhere.
    Views,
    /// Not read.
    Other,
}

/// The columns of a schema; nothing if it is damaged.
pub(super) fn fields(schema: Flat<'_>) -> Option<Vec<Field>> {
    schema.tables(1)?.into_iter().map(|one| field(one, 0)).collect()
}

fn field(table: Flat<'_>, depth: usize) -> Option<Field> {
    let name = String::from_utf8_lossy(table.text(0)?).trim().to_owned();
    let (kind, layout, buffers) = kind(table)?;
    let mut size = Size { nodes: 1, buffers, views: usize::from(layout == Layout::Views) };
    let dictionary = match table.table(4)? {
        Some(encoding) => {
            // Codes are 32-bit numbers unless something else is said.
            let codes = match encoding.table(1)? {
                Some(whole) => whole_layout(whole)?,
                None => Layout::Whole { bytes: 4, signed: true },
            };
            size = Size { nodes: 1, buffers: 2, views: 0 };
            let id = encoding.number::<8>(0, 0)?;
            let text = matches!(layout, Layout::Text { .. } | Layout::Views);
            let kind = match text && kind == StoredKind::Text {
                true => kind,
                false => StoredKind::Other("a dictionary of something else than text".to_owned()),
            };
            let dictionary = Some((id, layout));
            return Some(Field { name, kind, layout: codes, dictionary, size });
        }
        None => None,
    };
    if depth >= DEEPEST {
        return None;
    }
    for child in table.tables(5)? {
        let child = field(child, depth + 1)?.size;
        size.nodes += child.nodes;
        size.buffers += child.buffers;
        size.views += child.views;
    }
    Some(Field { name, kind, layout, dictionary, size })
}

fn whole_layout(whole: Flat<'_>) -> Option<Layout> {
    let bytes = usize::try_from(whole.number::<4>(0, 0)?).ok()? / 8;
    let signed = whole.number::<1>(1, 0)? != 0;
    matches!(bytes, 1 | 2 | 4 | 8).then_some(Layout::Whole { bytes, signed })
}

/// What the cells are, how they lie, and how many buffers a column itself has.
fn kind(table: Flat<'_>) -> Option<(StoredKind, Layout, usize)> {
    let other =
        |name: &str, buffers| Some((StoredKind::Other(name.to_owned()), Layout::Other, buffers));
    let about = table.table(3)?;
    let number = |index, default| match about {
        Some(about) => about.number::<2>(index, default),
        None => Some(default),
    };
    let wide = |index, default| match about {
        Some(about) => about.number::<4>(index, default),
        None => Some(default),
    };
    let long = Layout::Whole { bytes: 8, signed: true };
    match table.number::<1>(2, 0)? {
        1 => Some((StoredKind::Nothing, Layout::Nothing, 0)),
        2 => {
            let layout = whole_layout(about?)?;
            let signed = matches!(layout, Layout::Whole { signed: true, .. });
            Some((StoredKind::Whole { signed }, layout, 2))
        }
        3 => match number(0, 0)? {
            1 => Some((StoredKind::Float, Layout::Float { bytes: 4 }, 2)),
            2 => Some((StoredKind::Float, Layout::Float { bytes: 8 }, 2)),
            _ => other("a 16-bit float", 2),
        },
        4 | 19 => other("binary", 3),
        5 => Some((StoredKind::Text, Layout::Text { bytes: 4 }, 3)),
        6 => Some((StoredKind::Boolean, Layout::Bits, 2)),
        7 => {
            let scale = i32::try_from(wide(1, 0)?).ok()?;
            let bytes = usize::try_from(wide(2, 128)?).ok()? / 8;
            match bytes {
                4 | 8 | 16 => {
                    let layout = Layout::Whole { bytes, signed: true };
                    Some((StoredKind::Decimal { scale }, layout, 2))
                }
                _ => other("a decimal of 256 bits", 2),
            }
        }
        8 => match number(0, 1)? {
            0 => Some((StoredKind::Date, Layout::Whole { bytes: 4, signed: true }, 2)),
            _ => Some((StoredKind::Timestamp { parts: 1000 }, long, 2)),
        },
        9 => other("a time of day", 2),
        10 => {
            let parts = 1000_i64.checked_pow(u32::try_from(number(0, 0)?).ok()?.min(3))?;
            Some((StoredKind::Timestamp { parts }, long, 2))
        }
        11 => other("an interval", 2),
        12 | 21 => other("a list", 2),
        13 => other("a struct", 1),
        14 => {
            // A dense union has offsets beside its types.
            other("a union", 1 + usize::from(number(0, 0)? == 1))
        }
        15 => other("binary", 2),
        16 => other("a list", 1),
        17 => other("a map", 2),
        18 => other("a duration", 2),
        20 => Some((StoredKind::Text, Layout::Text { bytes: 8 }, 3)),
        22 => other("run-end encoded", 0),
        23 => Some((StoredKind::Other("binary".to_owned()), Layout::Views, 2)),
        24 => Some((StoredKind::Text, Layout::Views, 2)),
        25 | 26 => other("a list", 3),
        _ => None,
    }
}
