//! Files opened as they are, bzip2 and gzip unpacked on the way.

use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, BufReader, Chain, Cursor, Read};
use std::path::Path;

/// Bytes read from the disk at a time.
pub(super) const BUFFER: usize = 1 << 18;

/// Opens a file; its first bytes, not its name, say whether it is compressed.
pub fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    unpack(BufReader::with_capacity(BUFFER, File::open(path)?))
}

/// Unpacks bzip2 and gzip by their first bytes and passes on anything else.
pub fn unpack<R: Read + Send + 'static>(mut source: R) -> io::Result<Box<dyn Read + Send>> {
    let mut magic = Vec::with_capacity(4);
    source.by_ref().take(4).read_to_end(&mut magic)?;
    let bzip2 = magic.len() == 4 && magic.starts_with(b"BZh") && (b'1'..=b'9').contains(&magic[3]);
    let gzip = magic.starts_with(&[0x1f, 0x8b]);
    let whole: Chain<Cursor<Vec<u8>>, R> = Cursor::new(magic).chain(source);
    Ok(if bzip2 {
        Box::new(MultiBzDecoder::new(whole))
    } else if gzip {
        Box::new(MultiGzDecoder::new(whole))
    } else {
        Box::new(whole)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn unpacked(bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        unpack(Cursor::new(bytes))?.read_to_end(&mut out)?;
        Ok(out)
    }

    #[test]
    fn compressed_and_plain_bytes_come_out_alike() {
        let text = b"-1 3:1 \n".repeat(1000);
        let mut bz = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
        bz.write_all(&text).unwrap();
        let bz = bz.finish().unwrap();
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(&text).unwrap();
        let gz = gz.finish().unwrap();
        assert_eq!(unpacked(text.clone()).unwrap(), text);
        assert_eq!(unpacked(bz.clone()).unwrap(), text);
        assert_eq!(unpacked(gz.clone()).unwrap(), text);
        assert_eq!(unpacked([bz.clone(), bz.clone()].concat()).unwrap(), text.repeat(2));
        for cut in [5, bz.len() / 2, bz.len() - 1] {
            assert!(unpacked(bz[..cut].to_vec()).is_err());
            assert!(unpacked(gz[..cut.min(gz.len() - 1)].to_vec()).is_err());
        }
        for short in [&b""[..], b"B", b"BZh"] {
            assert_eq!(unpacked(short.to_vec()).unwrap(), short);
        }
    }
}
