//! The layer between SQLite and the system: it passes everything on, and tells the disk.

use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rusqlite::ffi;

use crate::state::{Change, State, lock};

type Folders = Vec<(PathBuf, Arc<Mutex<State>>)>;

/// The folders that lose writes. Files elsewhere are opened as if there were no layer.
static FOLDERS: Mutex<Folders> = Mutex::new(Vec::new());

/// The system's own layer.
struct System(*mut ffi::sqlite3_vfs);

// SAFETY: SQLite never changes or frees the layers of the system, and calls them from all threads.
unsafe impl Send for System {}
// SAFETY: As above.
unsafe impl Sync for System {}

static SYSTEM: OnceLock<System> = OnceLock::new();

/// An open file. The system's own follows it in memory.
#[repr(C)]
struct LayerFile {
    base: ffi::sqlite3_file,
    tracked: *mut Tracked,
}

struct Tracked {
    state: Arc<Mutex<State>>,
    path: PathBuf,
    /// Whether the next sync also syncs the directory, as the system does for a new log.
    syncs_directory: bool,
}

pub fn add(folder: &Path, state: &Arc<Mutex<State>>) {
    SYSTEM.get_or_init(register);
    let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    folders.push((folder.to_owned(), Arc::clone(state)));
}

pub fn remove(folder: &Path) {
    let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    folders.retain(|(known, _)| known != folder);
}

/// Makes this layer the default of the process.
fn register() -> System {
    // SAFETY: SQLite returns its default layer, which lives as long as the process. The copy
    // differs in what is set below, and is never freed.
    unsafe {
        ffi::sqlite3_initialize();
        let system = ffi::sqlite3_vfs_find(ptr::null());
        let mut layer = Box::new(*system);
        let own = c_int::try_from(size_of::<LayerFile>()).unwrap_or(c_int::MAX);
        layer.szOsFile = (*system).szOsFile + own;
        layer.pNext = ptr::null_mut();
        layer.zName = c"power-cut".as_ptr();
        layer.xOpen = Some(open);
        layer.xDelete = Some(delete);
        ffi::sqlite3_vfs_register(Box::into_raw(layer), 1);
        System(system)
    }
}

fn system() -> *mut ffi::sqlite3_vfs {
    SYSTEM.get().map_or(ptr::null_mut(), |system| system.0)
}

/// The disk and the path of a database file by the name that SQLite gives it.
unsafe fn find(name: *const c_char) -> Option<(Arc<Mutex<State>>, PathBuf)> {
    if name.is_null() {
        return None;
    }
    // SAFETY: SQLite passes a text that ends with a zero byte.
    let name = unsafe { CStr::from_ptr(name) };
    let path = PathBuf::from(OsStr::from_bytes(name.to_bytes()));
    let folder = path.parent()?.canonicalize().ok()?;
    let folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    let (_, state) = folders.iter().find(|(known, _)| *known == folder)?;
    Some((Arc::clone(state), folder.join(path.file_name()?)))
}

unsafe extern "C" fn open(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    const LOGS: c_int = ffi::SQLITE_OPEN_WAL | ffi::SQLITE_OPEN_MAIN_JOURNAL;
    let system = system();
    // SAFETY: The arguments are those of SQLite. The memory at `file` is large enough for a
    // `LayerFile` and the system's file, as `szOsFile` says.
    unsafe {
        let Some(open) = (*system).xOpen else {
            return ffi::SQLITE_CANTOPEN;
        };
        let known = if flags & (LOGS | ffi::SQLITE_OPEN_MAIN_DB) == 0 {
            None
        } else {
            find(name)
        };
        let Some((state, path)) = known else {
            return open(system, name, file, flags, out_flags);
        };
        (*file).pMethods = ptr::null();
        if lock(&state).is_off() {
            return ffi::SQLITE_IOERR;
        }
        let is_new = !path.exists();
        let opened = open(system, name, inner(file), flags, out_flags);
        if opened != ffi::SQLITE_OK {
            return opened;
        }
        lock(&state).open(&path);
        let tracked = Tracked {
            state,
            path,
            syncs_directory: is_new && flags & LOGS != 0,
        };
        (*file.cast::<LayerFile>()).tracked = Box::into_raw(Box::new(tracked));
        (*file).pMethods = &raw const METHODS;
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn delete(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    sync_directory: c_int,
) -> c_int {
    let system = system();
    // SAFETY: The arguments are those of SQLite.
    unsafe {
        if let Some((state, path)) = find(name)
            && lock(&state).delete(&path).is_err()
        {
            return ffi::SQLITE_IOERR_DELETE;
        }
        (*system).xDelete.map_or(ffi::SQLITE_IOERR, |delete| {
            delete(system, name, sync_directory)
        })
    }
}

/// The system's file of an open one.
unsafe fn inner(file: *mut ffi::sqlite3_file) -> *mut ffi::sqlite3_file {
    // SAFETY: It follows the file of this layer; `szOsFile` has room for both.
    unsafe { file.cast::<LayerFile>().add(1).cast() }
}

unsafe fn tracked<'a>(file: *mut ffi::sqlite3_file) -> &'a mut Tracked {
    // SAFETY: Set by `open`, and freed by `close` only. SQLite uses a file from one thread at a time.
    unsafe { &mut *(*file.cast::<LayerFile>()).tracked }
}

/// Calls a method of the system's file.
macro_rules! pass_on {
    ($file:ident . $method:ident ( $($argument:expr),* )) => {{
        let inner = inner($file);
        match (*(*inner).pMethods).$method {
            Some(method) => method(inner, $($argument),*),
            None => ffi::SQLITE_IOERR,
        }
    }};
}

/// Declares methods that only pass on.
macro_rules! passed_on {
    ($($name:ident = $method:ident ( $($argument:ident: $type:ty),* );)*) => {$(
        unsafe extern "C" fn $name(file: *mut ffi::sqlite3_file, $($argument: $type),*) -> c_int {
            // SAFETY: The arguments are those of SQLite, for a file that `open` has opened.
            unsafe { pass_on!(file.$method($($argument),*)) }
        }
    )*};
}

passed_on! {
    file_size = xFileSize(size: *mut i64);
    lock_file = xLock(level: c_int);
    unlock_file = xUnlock(level: c_int);
    check_reserved_lock = xCheckReservedLock(out: *mut c_int);
    file_control = xFileControl(operation: c_int, argument: *mut c_void);
    sector_size = xSectorSize();
    device_characteristics = xDeviceCharacteristics();
    shm_map = xShmMap(page: c_int, size: c_int, extend: c_int, out: *mut *mut c_void);
    shm_lock = xShmLock(offset: c_int, count: c_int, flags: c_int);
    shm_unmap = xShmUnmap(delete: c_int);
}

unsafe extern "C" fn shm_barrier(file: *mut ffi::sqlite3_file) {
    // SAFETY: As for the methods that are passed on.
    unsafe {
        let inner = inner(file);
        if let Some(barrier) = (*(*inner).pMethods).xShmBarrier {
            barrier(inner);
        }
    }
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    // SAFETY: As for the methods that are passed on. SQLite closes a file once.
    unsafe {
        let closed = pass_on!(file.xClose());
        drop(Box::from_raw((*file.cast::<LayerFile>()).tracked));
        closed
    }
}

unsafe extern "C" fn read(
    file: *mut ffi::sqlite3_file,
    out: *mut c_void,
    length: c_int,
    offset: i64,
) -> c_int {
    // SAFETY: As for the methods that are passed on.
    unsafe {
        if lock(&tracked(file).state).is_off() {
            return ffi::SQLITE_IOERR_READ;
        }
        pass_on!(file.xRead(out, length, offset))
    }
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    bytes: *const c_void,
    length: c_int,
    offset: i64,
) -> c_int {
    // SAFETY: As for the methods that are passed on. `bytes` has `length` bytes.
    unsafe {
        let tracked = tracked(file);
        let written = std::slice::from_raw_parts(bytes.cast::<u8>(), length as usize);
        let change = Change::Write {
            offset: offset as usize,
            bytes: written.to_vec(),
        };
        if lock(&tracked.state).change(&tracked.path, change).is_err() {
            return ffi::SQLITE_IOERR_WRITE;
        }
        pass_on!(file.xWrite(bytes, length, offset))
    }
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, length: i64) -> c_int {
    // SAFETY: As for the methods that are passed on.
    unsafe {
        let tracked = tracked(file);
        let change = Change::Truncate(length as usize);
        if lock(&tracked.state).change(&tracked.path, change).is_err() {
            return ffi::SQLITE_IOERR_TRUNCATE;
        }
        pass_on!(file.xTruncate(length))
    }
}

/// The system's file is not synced: the disk of this layer decides what is left.
unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    // SAFETY: As for the methods that are passed on.
    let tracked = unsafe { tracked(file) };
    match lock(&tracked.state).sync(&tracked.path, tracked.syncs_directory) {
        Ok(()) => {
            tracked.syncs_directory = false;
            ffi::SQLITE_OK
        }
        Err(_) => ffi::SQLITE_IOERR_FSYNC,
    }
}

/// Version 2: without memory maps, whose writes this layer would not see.
static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock_file),
    xUnlock: Some(unlock_file),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};
