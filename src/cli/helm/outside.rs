use jiff::Timestamp;
use jiff::tz::TimeZone;
use kapstan_gotemplate::functions::sprig::{Clock, Host, Random, Zone};
use std::collections::BTreeSet;
use std::net::ToSocketAddrs;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// What functions of templates may ask for: this machine's clock and zones, and randomness, the system's or of a seed.
pub(in crate::cli) fn host(seed: Option<&str>) -> Host {
    let random = seed.map_or_else(Random::system, |seed| Random::seeded(seed.as_bytes()));
    Host::new(Machine, random)
}

/// The addresses of a host as the system knows them, always in the same order: short ones first.
pub(super) fn addresses(name: &str) -> Vec<String> {
    let found = (name, 0).to_socket_addrs().into_iter().flatten();
    let addresses: BTreeSet<_> = found.map(|place| place.ip()).collect();
    addresses.iter().map(ToString::to_string).collect()
}

struct Machine;

struct Named(TimeZone);

impl Zone for Named {
    fn at(&self, second: i64) -> (i64, String) {
        let time = Timestamp::from_second(second).unwrap_or_default();
        let info = self.0.to_offset_info(time);
        (i64::from(info.offset().seconds()), info.abbreviation().to_owned())
    }
}

impl Clock for Machine {
    fn now(&self) -> (i64, u32) {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        (i64::try_from(since.as_secs()).unwrap_or(i64::MAX), since.subsec_nanos())
    }

    fn local(&self) -> Arc<dyn Zone> {
        Arc::new(Named(TimeZone::system()))
    }

    fn zone(&self, name: &str) -> Option<Arc<dyn Zone>> {
        TimeZone::get(name).ok().map(|zone| Arc::new(Named(zone)) as Arc<dyn Zone>)
    }
}
