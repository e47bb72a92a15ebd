//! Environment variables for the options: `LEAD_WORKSPACE_` and the name of the option, e.g.
//! `LEAD_WORKSPACE_ALLOW_HOST` for `--allow-host`. The command line takes precedence. Several values
//! of one option are separated by line breaks, or by the separator of the option.

use clap::builder::BoolishValueParser;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, Id};

const PREFIX: &str = "LEAD_WORKSPACE_";

/// Options without a variable: they allow one command to change or replace something, and must not
/// hold for later ones.
const CONFIRMATIONS: [&str; 3] = ["confirm", "fix", "overwrite"];

/// Options that say the same in different ways: where the leads are. One on the command line takes precedence over the
/// variables of all of its group; two of a group on the command line are an error.
const ALTERNATIVES: [&[&str]; 3] = [
    &["data", "database", "database-file"],
    &["from", "from-database-file"],
    &["to", "to-database-file"],
];

/// Adds the variable of each option, in all subcommands. `given` is the command line.
pub(super) fn with_variables(command: Command, given: &[String]) -> Command {
    let known: Vec<(String, Id)> = command
        .get_arguments()
        .filter_map(|arg| Some((arg.get_long()?.to_owned(), arg.get_id().clone())))
        .collect();
    command
        .mut_args(|arg| with_variable(arg, &known, given))
        .mut_subcommands(|command| with_variables(command, given))
}

/// `known` are the options of the same command.
fn with_variable(arg: Arg, known: &[(String, Id)], given: &[String]) -> Arg {
    let Some(variable) = variable(&arg) else {
        return arg;
    };
    let group = ALTERNATIVES
        .iter()
        .find(|group| arg.get_long().is_some_and(|long| group.contains(&long)));
    let is_given = |option: &&str| {
        let mut options = given.iter().filter_map(|text| text.strip_prefix("--"));
        options.any(|text| text.split('=').next() == Some(*option))
    };
    if let Some(group) = group.filter(|group| group.iter().any(is_given)) {
        // None of them has its variable now, so two of them are on the command line: one would be ignored.
        let own = arg.get_id().clone();
        let others = known
            .iter()
            .filter(|(long, id)| group.contains(&long.as_str()) && *id != own);
        return arg.conflicts_with_all(others.map(|(_, id)| id.clone()));
    }
    // The help text shows the name only: a value may be private.
    let arg = arg.env(variable).hide_env_values(true);
    match arg.get_action() {
        // Also accepts 1, yes and on, and their opposites.
        ArgAction::SetTrue => arg.value_parser(BoolishValueParser::new()),
        // A variable holds one text. Values can contain commas, unless the option says otherwise.
        ArgAction::Append if arg.get_value_delimiter().is_none() => arg.value_delimiter('\n'),
        _ => arg,
    }
}

/// Refuses a command for data folders, such as `backup`, while a variable names a database: a folder that is not on the
/// command line may be what a move to the database left. `matches` are the arguments of the command of this name.
///
/// # Errors
/// If a variable names a database, and the command line names no folder.
pub(super) fn refuse_folder_beside_database(
    name: &str,
    matches: &ArgMatches,
) -> Result<(), String> {
    let has = |option: &str| matches.try_contains_id(option).is_ok();
    let is_given = |option| matches.value_source(option) == Some(ValueSource::CommandLine);
    if !has("data") || has("database") || is_given("data") {
        return Ok(());
    }
    let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let variables = ["LEAD_WORKSPACE_DATABASE", "LEAD_WORKSPACE_DATABASE_FILE"];
    match variables.into_iter().find(is_set) {
        Some(variable) => Err(format!(
            "{variable} is set, and `{name}` is for data folders. Nothing was read or changed. For the database, \
             use the tools of PostgreSQL; for a folder, pass --data DIR"
        )),
        None => Ok(()),
    }
}

/// Returns the variable of an option; `None` for a positional argument and for a confirmation.
fn variable(arg: &Arg) -> Option<String> {
    let option = arg
        .get_long()
        .filter(|option| !CONFIRMATIONS.contains(option))?;
    let option = option.to_ascii_uppercase().replace('-', "_");
    Some(format!("{PREFIX}{option}"))
}

#[cfg(test)]
mod tests {
    use clap::Command;

    use super::variable;
    use crate::cli::command;

    fn for_each_command(command: &Command, check: &mut impl FnMut(&Command)) {
        check(command);
        for subcommand in command.get_subcommands() {
            for_each_command(subcommand, check);
        }
    }

    #[test]
    fn every_option_has_its_variable_and_hides_the_value() {
        let mut options = Vec::new();
        for_each_command(&command(&[]), &mut |command| {
            for arg in command.get_arguments() {
                let Some(long) = arg.get_long() else { continue };
                let id = format!("{} --{long}", command.get_name());
                let found = arg.get_env().and_then(|name| name.to_str());
                if ["confirm", "fix", "overwrite"].contains(&long) {
                    assert_eq!(found, None, "{id}");
                    continue;
                }
                let expected = variable(arg).unwrap();
                assert_eq!(found, Some(&*expected), "{id}");
                assert!(arg.is_hide_env_values_set(), "{id}");
                options.push(id);
            }
        });
        for known in [
            "serve --upstream-key-file",
            "create --tenant",
            "import --map",
        ] {
            assert!(options.iter().any(|id| id == known), "{options:?}");
        }
    }

    #[test]
    fn an_option_takes_precedence_over_the_variables_of_its_alternatives() {
        for (given, option, has_variable) in [
            ("--data=x", "database", false),
            ("--data=x", "port", true),
            ("--database-file", "data", false),
            ("--database-file", "database", false),
            ("--port", "database", true),
            ("data", "database", true),
        ] {
            let given = ["lead-workspace", "serve", given, "y"].map(str::to_owned);
            let command = command(&given);
            let serve = command.find_subcommand("serve").unwrap();
            let mut options = serve.get_arguments();
            let found = options.find(|arg| arg.get_long() == Some(option)).unwrap();
            assert_eq!(
                found.get_env().is_some(),
                has_variable,
                "{given:?} {option}"
            );
        }
    }

    #[test]
    fn the_command_line_has_no_errors_of_its_own() {
        command(&[]).debug_assert();
    }
}
