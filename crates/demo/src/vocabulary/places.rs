//! Places, with their time zone and the culture of most names there.

use super::names as culture;

/// A place where leads and companies are.
#[derive(Debug, PartialEq)]
pub(crate) struct Place {
    pub city: &'static str,
    /// State or region; empty where it is not usually named.
    pub region: &'static str,
    pub country: &'static str,
    /// IANA name.
    pub timezone: &'static str,
    /// Time zone as shown to users; the offset is that of winter.
    pub timezone_label: &'static str,
    pub culture: usize,
    /// Legal form of companies; empty where names do not include it.
    pub legal_form: &'static str,
    pub weight: u32,
}

impl Place {
    /// Returns the place as a profile shows it.
    pub(crate) fn text(&self) -> String {
        let mut parts = vec![self.city];
        parts.extend(
            [self.region, self.country]
                .iter()
                .filter(|part| !part.is_empty()),
        );
        parts.dedup();
        parts.join(", ")
    }
}

const CET: &str = "Central European Time (UTC+1)";
const EET: &str = "Eastern European Time (UTC+2)";
const GMT: &str = "Greenwich Mean Time (UTC+0)";
const ET: &str = "Eastern Time (UTC-5)";
const CT: &str = "Central Time (UTC-6)";
const MT: &str = "Mountain Time (UTC-7)";
const PT: &str = "Pacific Time (UTC-8)";

macro_rules! places {
    ($($city:literal $region:literal $country:literal $zone:literal $label:expr, $culture:ident $form:literal $weight:literal;)*) => {
        &[$(Place {
            city: $city,
            region: $region,
            country: $country,
            timezone: $zone,
            timezone_label: $label,
            culture: culture::$culture,
            legal_form: $form,
            weight: $weight,
        },)*]
    };
}

pub(crate) const PLACES: &[Place] = places! {
    "Berlin" "" "Germany" "Europe/Berlin" CET, GERMAN "GmbH" 60;
    "Munich" "Bavaria" "Germany" "Europe/Berlin" CET, GERMAN "GmbH" 55;
    "Hamburg" "" "Germany" "Europe/Berlin" CET, GERMAN "GmbH" 40;
    "Cologne" "North Rhine-Westphalia" "Germany" "Europe/Berlin" CET, GERMAN "GmbH" 28;
    "Stuttgart" "Baden-Württemberg" "Germany" "Europe/Berlin" CET, GERMAN "AG" 24;
    "Leipzig" "Saxony" "Germany" "Europe/Berlin" CET, GERMAN "GmbH" 12;
    "Vienna" "" "Austria" "Europe/Vienna" CET, GERMAN "GmbH" 24;
    "Graz" "Styria" "Austria" "Europe/Vienna" CET, GERMAN "GmbH" 8;
    "Zurich" "" "Switzerland" "Europe/Zurich" CET, GERMAN "AG" 26;
    "Geneva" "" "Switzerland" "Europe/Zurich" CET, FRENCH "SA" 10;
    "London" "England" "United Kingdom" "Europe/London" GMT, ENGLISH "Ltd" 80;
    "Manchester" "England" "United Kingdom" "Europe/London" GMT, ENGLISH "Ltd" 26;
    "Bristol" "England" "United Kingdom" "Europe/London" GMT, ENGLISH "Ltd" 14;
    "Edinburgh" "Scotland" "United Kingdom" "Europe/London" GMT, ENGLISH "Ltd" 14;
    "Dublin" "" "Ireland" "Europe/Dublin" GMT, IRISH "Ltd" 24;
    "Amsterdam" "North Holland" "Netherlands" "Europe/Amsterdam" CET, DUTCH "B.V." 34;
    "Utrecht" "" "Netherlands" "Europe/Amsterdam" CET, DUTCH "B.V." 14;
    "Antwerp" "Flanders" "Belgium" "Europe/Brussels" CET, DUTCH "NV" 12;
    "Paris" "Île-de-France" "France" "Europe/Paris" CET, FRENCH "SAS" 48;
    "Lyon" "Auvergne-Rhône-Alpes" "France" "Europe/Paris" CET, FRENCH "SAS" 16;
    "Nantes" "Pays de la Loire" "France" "Europe/Paris" CET, FRENCH "SAS" 9;
    "Madrid" "" "Spain" "Europe/Madrid" CET, SPANISH "S.L." 24;
    "Barcelona" "Catalonia" "Spain" "Europe/Madrid" CET, SPANISH "S.L." 24;
    "Lisbon" "" "Portugal" "Europe/Lisbon" GMT, PORTUGUESE "Lda." 14;
    "Milan" "Lombardy" "Italy" "Europe/Rome" CET, ITALIAN "S.r.l." 24;
    "Bologna" "Emilia-Romagna" "Italy" "Europe/Rome" CET, ITALIAN "S.r.l." 9;
    "Copenhagen" "" "Denmark" "Europe/Copenhagen" CET, NORDIC "ApS" 16;
    "Stockholm" "" "Sweden" "Europe/Stockholm" CET, NORDIC "AB" 24;
    "Gothenburg" "" "Sweden" "Europe/Stockholm" CET, NORDIC "AB" 10;
    "Oslo" "" "Norway" "Europe/Oslo" CET, NORDIC "AS" 12;
    "Helsinki" "" "Finland" "Europe/Helsinki" EET, NORDIC "Oy" 12;
    "Reykjavík" "" "Iceland" "Atlantic/Reykjavik" GMT, NORDIC "ehf." 3;
    "Warsaw" "Masovia" "Poland" "Europe/Warsaw" CET, POLISH "Sp. z o.o." 20;
    "Kraków" "Lesser Poland" "Poland" "Europe/Warsaw" CET, POLISH "Sp. z o.o." 14;
    "Prague" "" "Czechia" "Europe/Prague" CET, CZECH "s.r.o." 16;
    "Brno" "South Moravia" "Czechia" "Europe/Prague" CET, CZECH "s.r.o." 7;
    "Athens" "Attica" "Greece" "Europe/Athens" EET, GREEK "S.A." 7;
    "Kyiv" "" "Ukraine" "Europe/Kyiv" EET, UKRAINIAN "LLC" 8;
    "Istanbul" "" "Türkiye" "Europe/Istanbul" "Türkiye Time (UTC+3)", TURKISH "A.Ş." 14;
    "New York" "New York" "United States" "America/New_York" ET, ENGLISH "Inc." 70;
    "Boston" "Massachusetts" "United States" "America/New_York" ET, ENGLISH "Inc." 34;
    "Atlanta" "Georgia" "United States" "America/New_York" ET, ENGLISH "Inc." 20;
    "Chicago" "Illinois" "United States" "America/Chicago" CT, ENGLISH "Inc." 30;
    "Austin" "Texas" "United States" "America/Chicago" CT, ENGLISH "Inc." 34;
    "Denver" "Colorado" "United States" "America/Denver" MT, ENGLISH "Inc." 20;
    "San Francisco" "California" "United States" "America/Los_Angeles" PT, ENGLISH "Inc." 60;
    "Seattle" "Washington" "United States" "America/Los_Angeles" PT, ENGLISH "Inc." 24;
    "Toronto" "Ontario" "Canada" "America/Toronto" ET, ENGLISH "Inc." 24;
    "Montréal" "Québec" "Canada" "America/Toronto" ET, FRENCH "inc." 14;
    "Vancouver" "British Columbia" "Canada" "America/Vancouver" PT, ENGLISH "Inc." 12;
    "Mexico City" "" "Mexico" "America/Mexico_City" "Mexico Central Time (UTC-6)", SPANISH "S.A. de C.V." 14;
    "São Paulo" "São Paulo" "Brazil" "America/Sao_Paulo" "Brasília Time (UTC-3)", PORTUGUESE "Ltda." 22;
    "Buenos Aires" "" "Argentina" "America/Argentina/Buenos_Aires" "Argentina Time (UTC-3)", SPANISH "S.A." 9;
    "Bogotá" "" "Colombia" "America/Bogota" "Colombia Time (UTC-5)", SPANISH "S.A.S." 8;
    "Lagos" "" "Nigeria" "Africa/Lagos" "West Africa Time (UTC+1)", WEST_AFRICAN "Ltd" 12;
    "Accra" "" "Ghana" "Africa/Accra" GMT, WEST_AFRICAN "Ltd" 6;
    "Nairobi" "" "Kenya" "Africa/Nairobi" "East Africa Time (UTC+3)", ENGLISH "Ltd" 6;
    "Cairo" "" "Egypt" "Africa/Cairo" EET, ARABIC "S.A.E." 8;
    "Dubai" "" "United Arab Emirates" "Asia/Dubai" "Gulf Standard Time (UTC+4)", ARABIC "LLC" 18;
    "Bengaluru" "Karnataka" "India" "Asia/Kolkata" "India Standard Time (UTC+5:30)", INDIAN "Pvt. Ltd." 40;
    "Mumbai" "Maharashtra" "India" "Asia/Kolkata" "India Standard Time (UTC+5:30)", INDIAN "Pvt. Ltd." 26;
    "Singapore" "" "Singapore" "Asia/Singapore" "Singapore Time (UTC+8)", CHINESE "Pte. Ltd." 18;
    "Hong Kong" "" "Hong Kong" "Asia/Hong_Kong" "Hong Kong Time (UTC+8)", CHINESE "Limited" 10;
    "Shanghai" "" "China" "Asia/Shanghai" "China Standard Time (UTC+8)", CHINESE "Co., Ltd." 12;
    "Tokyo" "" "Japan" "Asia/Tokyo" "Japan Standard Time (UTC+9)", JAPANESE "K.K." 20;
    "Osaka" "" "Japan" "Asia/Tokyo" "Japan Standard Time (UTC+9)", JAPANESE "K.K." 7;
    "Seoul" "" "South Korea" "Asia/Seoul" "Korea Standard Time (UTC+9)", KOREAN "Co., Ltd." 12;
    "Ho Chi Minh City" "" "Vietnam" "Asia/Ho_Chi_Minh" "Indochina Time (UTC+7)", VIETNAMESE "JSC" 7;
    "Sydney" "New South Wales" "Australia" "Australia/Sydney" "Australian Eastern Time (UTC+10)", ENGLISH "Pty Ltd" 22;
    "Melbourne" "Victoria" "Australia" "Australia/Melbourne" "Australian Eastern Time (UTC+10)", ENGLISH "Pty Ltd" 14;
    "Auckland" "" "New Zealand" "Pacific/Auckland" "New Zealand Time (UTC+12)", ENGLISH "Ltd" 7;
};
