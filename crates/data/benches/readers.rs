//! Readers: MB a second and the peak of memory.
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use data::{Labels, MappedDense, Planes, import_table, open, read_expo, read_libsvm};
use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::time::Duration;

const HEADER: &str = "Year,Month,DayofMonth,DayOfWeek,DepTime,CRSDepTime,ArrTime,CRSArrTime,\
                      UniqueCarrier,FlightNum,TailNum,ActualElapsedTime,CRSElapsedTime,AirTime,\
                      ArrDelay,DepDelay,Origin,Dest,Distance,TaxiIn,TaxiOut,Cancelled,\
                      CancellationCode,Diverted,CarrierDelay,WeatherDelay,NASDelay,SecurityDelay,\
                      LateAircraftDelay";
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

criterion_group!(benches, libsvm, expo);
criterion_main!(benches);
