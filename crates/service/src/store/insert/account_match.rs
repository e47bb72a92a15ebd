//! Finds the account of an imported line and fills in its missing values.

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::account::AccountRow;
use super::{insert_account, key};
use crate::size::size_rank;
use crate::store::{StoreError, Tenant};

const COLUMNS: &str = "id, account_id, network_id, name, network_username, network_url, logo_url,
    industry, staff_count_range, location, tagline, description, founded_year, identity, domain,
    is_promoted, created_at";

fn read(row: &Row<'_>) -> rusqlite::Result<(i64, AccountRow)> {
    let account = AccountRow {
        account_id: row.get(1)?,
        network_id: row.get(2)?,
        name: row.get(3)?,
        network_username: row.get(4)?,
        network_url: row.get(5)?,
        logo_url: row.get(6)?,
        industry: row.get(7)?,
        staff_count_range: row.get(8)?,
        location: row.get(9)?,
        tagline: row.get(10)?,
        description: row.get(11)?,
        founded_year: row.get(12)?,
        identity: row.get(13)?,
        domain: row.get(14)?,
        is_promoted: row.get(15)?,
        created_at: row.get(16)?,
    };
    Ok((row.get(0)?, account))
}

pub(crate) struct Matched {
    pub account: i64,
    pub row: AccountRow,
    /// Whether a known account was changed, so that copies of its columns are out of date.
    pub completed: bool,
}

/// Returns the account of a company; creates it if there is none.
///
/// An account matches by its page on the network, then by its domain, then by its name if page and
/// domain do not contradict. Missing values are filled in; existing values stay, so that two lines
/// with different values do not overwrite each other in turn.
pub(crate) fn match_account(
    connection: &Connection,
    tenant: Tenant,
    said: AccountRow,
) -> Result<Matched, StoreError> {
    let Some((account, known)) = find(connection, tenant, &said)? else {
        let account = insert_account(connection, tenant, None, &said)?;
        let row = said;
        return Ok(Matched {
            account,
            row,
            completed: false,
        });
    };
    let row = AccountRow {
        name: known.name.clone().or(said.name),
        network_id: known.network_id.clone().or(said.network_id),
        network_username: known.network_username.clone().or(said.network_username),
        network_url: known.network_url.clone().or(said.network_url),
        logo_url: known.logo_url.clone().or(said.logo_url),
        industry: known.industry.clone().or(said.industry),
        staff_count_range: known.staff_count_range.clone().or(said.staff_count_range),
        location: known.location.clone().or(said.location),
        tagline: known.tagline.clone().or(said.tagline),
        description: known.description.clone().or(said.description),
        founded_year: known.founded_year.or(said.founded_year),
        identity: known.identity.clone().or(said.identity),
        domain: known.domain.clone().or(said.domain),
        is_promoted: known.is_promoted || said.is_promoted,
        account_id: known.account_id.clone(),
        created_at: known.created_at.clone(),
    };
    let completed = row != known;
    if completed {
        complete(connection, account, &row)?;
    }
    Ok(Matched {
        account,
        row,
        completed,
    })
}

fn find(
    connection: &Connection,
    tenant: Tenant,
    said: &AccountRow,
) -> Result<Option<(i64, AccountRow)>, StoreError> {
    let by = |column: &str, value: &Option<String>| -> Result<_, StoreError> {
        let Some(value) = value else { return Ok(None) };
        let sql = format!(
            "SELECT {COLUMNS} FROM accounts WHERE tenant = ?1 AND {column} = ?2 ORDER BY id LIMIT 1"
        );
        let mut find = connection.prepare_cached(&sql)?;
        Ok(find.query_row(params![tenant.0, value], read).optional()?)
    };
    for (column, value) in [("identity", &said.identity), ("domain", &said.domain)] {
        if let Some((account, known)) = by(column, value)? {
            let other_page = column == "domain"
                && known.identity.is_some()
                && said.identity.is_some()
                && known.identity != said.identity;
            if !other_page {
                return Ok(Some((account, known)));
            }
        }
    }
    let Some(name_key) = key(said.name.as_ref()) else {
        return Ok(None);
    };
    let sql = format!(
        "SELECT {COLUMNS} FROM accounts WHERE tenant = ?1 AND name_key = ?2
           AND (identity IS NULL OR ?3 IS NULL OR identity = ?3)
           AND (domain IS NULL OR ?4 IS NULL OR domain = ?4)
         ORDER BY id LIMIT 1"
    );
    let mut find = connection.prepare_cached(&sql)?;
    let values = params![tenant.0, name_key, said.identity, said.domain];
    Ok(find.query_row(values, read).optional()?)
}

fn complete(connection: &Connection, account: i64, row: &AccountRow) -> Result<(), StoreError> {
    connection
        .prepare_cached(
            "UPDATE accounts SET network_id = ?2, name = ?3, name_key = ?4, network_username = ?5,
               network_url = ?6, logo_url = ?7, industry = ?8, industry_key = ?9,
               staff_count_range = ?10, staff_rank = ?11, location = ?12, location_key = ?13,
               tagline = ?14, description = ?15, founded_year = ?16, identity = ?17, domain = ?18,
               is_promoted = ?19
             WHERE id = ?1",
        )?
        .execute(params![
            account,
            row.network_id,
            row.name,
            key(row.name.as_ref()),
            row.network_username,
            row.network_url,
            row.logo_url,
            row.industry,
            key(row.industry.as_ref()),
            row.staff_count_range,
            row.staff_count_range.as_deref().and_then(size_rank),
            row.location,
            key(row.location.as_ref()),
            row.tagline,
            row.description,
            row.founded_year,
            row.identity,
            row.domain,
            row.is_promoted,
        ])?;
    Ok(())
}
