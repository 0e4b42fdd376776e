//! Writes a file of rows in one pass, under a passing name until it is whole.

use super::format::{ALIGNMENT, CHUNK, DENSE, HEADER, Header, MIXED, NOTHING, SPARSE, stride};
use posterior::{MixedShape, SparseBlock};
use sha2::{Digest, Sha256};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// A file being written: chunks, then the directory, then the header, then its name.
pub(super) struct Writer {
    file: BufWriter<NamedTempFile>,
    hash: Sha256,
    position: usize,
    directory: Vec<u64>,
    rows: u64,
}

impl Writer {
    pub fn create(path: &Path) -> io::Result<Writer> {
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        // The name says what it is to whoever sweeps up after a killed import.
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let file: NamedTempFile = tempfile::Builder::new()
            .prefix(&format!(".{name}."))
            .suffix(".partial")
            .tempfile_in(folder)?;
        // Less than a column of a chunk, which is then not copied.
        let mut file = BufWriter::with_capacity(1 << 15, file);
        file.write_all(&[0; HEADER])?;
        let hash = Sha256::new();
        Ok(Writer { file, hash, position: HEADER, directory: Vec::new(), rows: 0 })
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.position += bytes.len();
        self.file.write_all(bytes)
    }

    fn pad(&mut self, alignment: usize) -> io::Result<()> {
        let padding = self.position.next_multiple_of(alignment) - self.position;
        self.put(&[0; ALIGNMENT][..padding])
    }

    fn begin_chunk(&mut self, rows: usize) -> io::Result<()> {
        self.pad(ALIGNMENT)?;
        self.directory.push(self.position as u64);
        self.rows += rows as u64;
        Ok(())
    }

    fn finish(self, path: &Path, kind: u32, width: usize) -> io::Result<u64> {
        self.finish_with(path, Header::new(kind, width, 0, 0), &[])
    }

    fn finish_with(mut self, path: &Path, header: Header, words: &[u64]) -> io::Result<u64> {
        self.pad(ALIGNMENT)?;
        let start = self.position as u64;
        let directory = std::mem::take(&mut self.directory);
        self.put(bytemuck::cast_slice(&directory))?;
        self.put(bytemuck::cast_slice(words))?;
        let mut header = Header { rows: self.rows, directory: start, ..header };
        self.hash.update(bytemuck::bytes_of(&header));
        header.sha256 = self.hash.finalize().into();
        let mut file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.seek(SeekFrom::Start(0))?;
        file.write_all(bytemuck::bytes_of(&header))?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(self.rows)
    }
}

impl Writer {
    /// Columns of numbers, padded; they are empty afterwards.
    fn put_columns(&mut self, columns: &mut [Vec<f64>]) -> io::Result<()> {
        for column in columns {
            column.resize(stride(column.len()), 0.0);
            self.put(bytemuck::cast_slice(column))?;
            column.clear();
        }
        Ok(())
    }
}

/// Gathers dense rows into chunks.
pub(super) struct DenseWriter {
    writer: Writer,
    // One for each covariate, the targets last.
    columns: Vec<Vec<f64>>,
}

impl DenseWriter {
    pub fn create(path: &Path, width: usize) -> io::Result<DenseWriter> {
        let columns = vec![Vec::with_capacity(CHUNK); width + 1];
        Ok(DenseWriter { writer: Writer::create(path)?, columns })
    }

    /// Appends a row, its target last.
    pub fn push(&mut self, values: &[f64]) -> io::Result<()> {
        self.columns.iter_mut().zip(values).for_each(|(column, value)| column.push(*value));
        if self.columns[0].len() == CHUNK { self.flush() } else { Ok(()) }
    }

    /// Appends up to [`CHUNK`] rows, fewer in the last call only, as columns, which are empty afterwards.
    pub fn put_chunk(&mut self, columns: &mut [Vec<f64>]) -> io::Result<()> {
        match columns[0].len() {
            0 => return Ok(()),
            rows => self.writer.begin_chunk(rows)?,
        }
        self.writer.put_columns(columns)
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut columns = std::mem::take(&mut self.columns);
        let put = self.put_chunk(&mut columns);
        self.columns = columns;
        put
    }

    pub fn finish(mut self, path: &Path) -> io::Result<u64> {
        self.flush()?;
        let width = self.columns.len() - 1;
        self.writer.finish(path, DENSE, width)
    }
}

/// Gathers rows of numbers and categories into chunks.
pub(super) struct MixedWriter {
    writer: Writer,
    shape: MixedShape,
    // One for each column of numbers, the targets last.
    columns: Vec<Vec<f64>>,
    // One for each category.
    codes: Vec<Vec<u32>>,
}

impl MixedWriter {
    pub fn create(path: &Path, shape: MixedShape) -> io::Result<MixedWriter> {
        let columns = vec![Vec::with_capacity(CHUNK); shape.numbers().len() + 1];
        let codes = vec![Vec::with_capacity(CHUNK); shape.factors().len()];
        Ok(MixedWriter { writer: Writer::create(path)?, shape, columns, codes })
    }

    /// Appends a row; the code for none is the largest number.
    pub fn push(&mut self, numbers: &[f64], codes: &[u32], target: f64) -> io::Result<()> {
        let values = numbers.iter().chain([&target]);
        self.columns.iter_mut().zip(values).for_each(|(column, value)| column.push(*value));
        self.codes.iter_mut().zip(codes).for_each(|(column, code)| column.push(*code));
        if self.columns[0].len() == CHUNK { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        let rows = self.columns[0].len();
        if rows == 0 {
            return Ok(());
        }
        self.writer.begin_chunk(rows)?;
        self.writer.put_columns(&mut self.columns)?;
        let mut narrow: Vec<u16> = Vec::with_capacity(rows);
        for codes in &mut self.codes {
            match self.shape.is_wide() {
                true => self.writer.put(bytemuck::cast_slice(codes))?,
                false => {
                    narrow.clear();
                    narrow.extend(codes.iter().map(|&code| code as u16));
                    self.writer.put(bytemuck::cast_slice(&narrow))?;
                }
            }
            self.writer.pad(8)?;
            codes.clear();
        }
        Ok(())
    }

    pub fn finish(mut self, path: &Path) -> io::Result<u64> {
        self.flush()?;
        let (numbers, factors) = (self.shape.numbers(), self.shape.factors());
        let words = numbers.iter().chain(factors);
        let words: Vec<u64> = words.map(|at| at.map_or(NOTHING, |at| at as u64)).collect();
        let mut header = Header::new(MIXED, self.shape.width(), 0, 0);
        header.parts = [numbers.len() as u64, factors.len() as u64];
        self.writer.finish_with(path, header, &words)
    }
}

/// Gathers sparse rows into chunks.
pub(super) struct SparseWriter {
    writer: Writer,
    width: usize,
    offsets: Vec<u32>,
    targets: Vec<f64>,
    values: Vec<f64>,
    // Bytes of columns: two each, or four if there are more than fit into two.
    columns: Vec<u8>,
    entries: usize,
}

impl SparseWriter {
    pub fn create(path: &Path, width: usize) -> io::Result<SparseWriter> {
        Ok(SparseWriter {
            writer: Writer::create(path)?,
            width,
            offsets: vec![0],
            targets: Vec::new(),
            values: Vec::new(),
            columns: Vec::new(),
            entries: 0,
        })
    }

    /// Appends a row.
    pub fn push(
        &mut self,
        columns: impl Iterator<Item = u32>,
        values: &[f64],
        target: f64,
    ) -> io::Result<()> {
        let wide = self.width > SparseBlock::NARROW;
        for column in columns {
            match wide {
                false => self.columns.extend_from_slice(&(column as u16).to_le_bytes()),
                true => self.columns.extend_from_slice(&column.to_le_bytes()),
            }
            self.entries += 1;
        }
        self.values.extend_from_slice(values);
        self.targets.push(target);
        // 8192 rows of 65 536 entries make 2²⁹, well within 32 bits: no file has more columns.
        self.offsets.push(self.entries as u32);
        if self.targets.len() == CHUNK { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.targets.is_empty() {
            return Ok(());
        }
        self.writer.begin_chunk(self.targets.len())?;
        if self.values.iter().all(|&value| value == 1.0) {
            self.values.clear();
        }
        let sizes = [self.entries as u64, u64::from(!self.values.is_empty())];
        self.writer.put(bytemuck::cast_slice(&sizes))?;
        self.writer.put(bytemuck::cast_slice(&self.offsets))?;
        self.writer.pad(8)?;
        self.writer.put(bytemuck::cast_slice(&self.targets))?;
        self.writer.put(bytemuck::cast_slice(&self.values))?;
        self.writer.put(&self.columns)?;
        self.writer.pad(8)?;
        self.offsets.truncate(1);
        self.targets.clear();
        self.values.clear();
        self.columns.clear();
        self.entries = 0;
        Ok(())
    }

    pub fn finish(mut self, path: &Path) -> io::Result<u64> {
        self.flush()?;
        self.writer.finish(path, SPARSE, self.width)
    }
}
