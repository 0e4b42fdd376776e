//! Readers: MB a second and the peak of memory.
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use data::{
    Labels, MappedDense, ParquetTable, Planes, import_numbers, import_table, open, read_expo,
    read_libsvm, sha256_of_file,
};
use debias::Seed;
use parquet::basic::Compression;
use parquet::data_type::DoubleType;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use rand::RngExt;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const HEADER: &str = "Year,Month,DayofMonth,DayOfWeek,DepTime,CRSDepTime,ArrTime,CRSArrTime,\
                      UniqueCarrier,FlightNum,TailNum,ActualElapsedTime,CRSElapsedTime,AirTime,\
                      ArrDelay,DepDelay,Origin,Dest,Distance,TaxiIn,TaxiOut,Cancelled,\
                      CancellationCode,Diverted,CarrierDelay,WeatherDelay,NASDelay,SecurityDelay,\
                      LateAircraftDelay";
/// Groups of a million rows.
const PARQUET_GROUPS: usize = 3;
/// As many rows as the real file has.
const FLIGHTS: usize = 2_389_217;

fn libsvm(c: &mut Criterion) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/embedded/a9a.bz2");
    let mut text = Vec::new();
    let mut source = open(&path).expect("the embedded file is there");
    source.read_to_end(&mut text).expect("it can be read");
    let mut group = c.benchmark_group("a9a");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.measurement_time(Duration::from_secs(2)).warm_up_time(Duration::from_millis(500));
    group.bench_function("text", |b| {
        b.iter(|| read_libsvm(&text[..], "a9a", 123, Labels::PlusMinus).expect("a good file"));
    });
    group.bench_function("bzip2", |b| {
        b.iter(|| {
            let source = open(&path).expect("the embedded file is there");
            read_libsvm(source, "a9a", 123, Labels::PlusMinus).expect("a good file")
        });
    });
    group.finish();
}

/// Writes a file shaped like the flights of 2008.
fn write_flights(path: &Path) -> std::io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    writeln!(file, "{HEADER}")?;
    for i in 0..FLIGHTS {
        let (time, plane, delay) = (i * 7 % 2359, i % 5000, i % 90);
        writeln!(
            file,
            "2008,{},{},{},{time},1955,{time},2225,WN,{},N{plane},128,150,{},{delay},8,IAD,TPA,{},\
             4,8,{},,0,NA,NA,NA,NA,NA",
            1 + i % 4,
            1 + i % 28,
            1 + i % 7,
            i % 3000,
            30 + i % 200,
            100 + i % 2000,
            usize::from(i % 50 == 0),
        )?;
    }
    file.flush()
}

/// The most memory this process has held since the last call, in megabytes, where the system tells.
fn peak() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    // Writing 5 sets the mark back to what is held now.
    fs::write("/proc/self/clear_refs", "5").ok()?;
    Some(kilobytes / 1024)
}

fn expo(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder for benches");
    let path = folder.path().join("2008.csv");
    write_flights(&path).expect("the folder is writable");
    let size = fs::metadata(&path).expect("it was written").len();
    let planes: String = (0..5000).map(|i| format!("N{i},{}\n", 1980 + i % 28)).collect();
    let planes = Planes::read(("tailnum,year\n".to_owned() + &planes).as_bytes(), "planes");
    let planes = planes.expect("a good table");
    let read = || {
        let source = open(&path).expect("it was written");
        read_expo(source, "2008", &planes).expect("a good file")
    };
    let before = peak();
    let flights = read();
    println!(
        "2008: {} flights of {FLIGHTS} from {} MB; peak of memory {:?} MB before, {:?} MB reading",
        flights.count(),
        size / 1_000_000,
        before,
        peak()
    );
    drop(flights);
    let mut group = c.benchmark_group("2008");
    group.sample_size(10).throughput(Throughput::Bytes(size));
    group.measurement_time(Duration::from_secs(10));
    group.bench_function("text", |b| b.iter(read));
    let output = folder.path().join("2008.rows");
    let covariates = ["Month", "DayofMonth", "DayOfWeek", "DepTime", "ArrTime", "AirTime"];
    let import = || import_table(&path, &output, &covariates, "ArrDelay").expect("a good file");
    let before = peak();
    let rows = import();
    println!("import: {rows} rows; peak of memory {before:?} MB before, {:?} MB importing", peak());
    group.bench_function("import", |b| b.iter(import));
    group.bench_function("open mapped", |b| {
        b.iter(|| MappedDense::open(&output).expect("a good file"));
    });
    group.finish();
}

/// Seconds of processor time that this process has taken, where the system tells; in hundredths.
fn processor_seconds() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/stat").ok()?;
    let behind_name = status.rsplit_once(')')?.1;
    let times = behind_name.split_whitespace().skip(11).take(2);
    let ticks: Vec<f64> = times.map(str::parse).collect::<Result<_, _>>().ok()?;
    Some(ticks.iter().sum::<f64>() / 100.0)
}

/// Ten columns of random numbers and a class, as other programs write them by default: dictionaries as
/// long as they help, Snappy, groups of a million rows.
fn write_parquet(path: &Path) -> parquet::errors::Result<()> {
    let columns: String = (0..10).map(|j| format!("required double x{j}; ")).collect();
    let schema = format!("message m {{ {columns} required double y; }}");
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut file = SerializedFileWriter::new(
        File::create(path)?,
        Arc::new(parse_message_type(&schema)?),
        Arc::new(properties),
    )?;
    let mut rng = Seed(1).stream(0);
    for _ in 0..PARQUET_GROUPS {
        let mut group = file.next_row_group()?;
        for column in 0..11 {
            let number = |_| match column {
                10 => f64::from(u8::from(rng.random::<bool>())),
                _ => rng.random::<f64>(),
            };
            let values: Vec<f64> = (0..1_000_000).map(number).collect();
            let mut writer = group.next_column()?.expect("one for each name");
            writer.typed::<DoubleType>().write_batch(&values, None, None)?;
            writer.close()?;
        }
        group.close()?;
    }
    file.close().map(|_| ())
}

/// MB are 10⁶ bytes of the file as it is on disk, as `unbiased import` counts them; the sum of the file is
/// part of an import.
fn numeric_parquet(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder for benches");
    let (path, output) = (folder.path().join("x.parquet"), folder.path().join("x.rows"));
    write_parquet(&path).expect("the folder is writable");
    let size = fs::metadata(&path).expect("it was written").len();
    let used: Vec<String> = (0..10).map(|j| format!("x{j}")).chain(["y".to_owned()]).collect();
    let covariates: Vec<&str> = used[..10].iter().map(String::as_str).collect();
    let import = || {
        let table = ParquetTable::open(std::slice::from_ref(&path), "x", &used, || false);
        let rows = import_numbers(&mut table.expect("a good file"), &output, &covariates, "y");
        let sum = sha256_of_file(&path).expect("a good file");
        (rows.expect("a good file"), sum)
    };
    let before = (peak(), processor_seconds());
    let (rows, _) = import();
    if let (Some(start), Some(end)) = (before.1, processor_seconds()) {
        println!(
            "Parquet: {rows} rows, {:.0} MB per processor second; peak of memory {:?} MB before, {:?} MB \
             importing",
            size as f64 / 1e6 / (end - start),
            before.0,
            peak()
        );
    }
    let mut group = c.benchmark_group("Parquet");
    group.sample_size(10).throughput(Throughput::Bytes(size));
    group.measurement_time(Duration::from_secs(10));
    group.bench_function("import", |b| b.iter(import));
    group.finish();
}

criterion_group!(benches, libsvm, expo, numeric_parquet);
criterion_main!(benches);
