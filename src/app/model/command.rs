//! All commands of the app in one table. Keyboard shortcuts, command palette and help are built
//! from it.

/// Section of the help and of the command palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandGroup {
    Decide,
    Move,
    Select,
    List,
    App,
}

impl CommandGroup {
    /// All groups in display order.
    pub const ALL: [Self; 5] = [
        Self::Decide,
        Self::Move,
        Self::Select,
        Self::List,
        Self::App,
    ];

    pub fn label(self) -> &'static str {
        match self {
            Self::Decide => "Decide",
            Self::Move => "Move",
            Self::Select => "Select",
            Self::List => "List",
            Self::App => "App",
        }
    }
}

/// Where the keys of a command are active.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// On the grid and the details of a lead; also if nothing has the focus.
    Grid,
    /// Everywhere except in inputs.
    Page,
    /// Everywhere; in inputs only with a modifier.
    Always,
}

/// A command's entry in the table.
#[derive(Clone, Copy, Debug)]
pub struct CommandSpec {
    pub command: Command,
    /// Name in storage; must never change.
    pub id: &'static str,
    pub label: &'static str,
    pub group: CommandGroup,
    pub scope: Scope,
    /// Whether holding a key down repeats the command.
    pub repeats: bool,
    /// Default keys, separated by spaces; `G>L` is G and then L.
    pub keys: &'static str,
}

macro_rules! commands {
    ($($(#[$doc:meta])+ $command:ident $id:literal $label:literal $group:ident $scope:ident $repeats:literal $keys:literal;)*) => {
        /// An action that the user can trigger.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Command {
            $($(#[$doc])+ $command,)*
        }

        /// All commands in declaration order. [`Command::spec`] uses the discriminant as index.
        pub const COMMANDS: &[CommandSpec] = &[$(CommandSpec {
            command: Command::$command,
            id: $id,
            label: $label,
            group: CommandGroup::$group,
            scope: Scope::$scope,
            repeats: $repeats,
            keys: $keys,
        },)*];
    };
}

commands! {
    /// Approves the lead and moves to the next one.
    Approve "approve" "Approve" Decide Grid false "A";
    /// Rejects the lead and moves to the next one.
    Reject "reject" "Reject" Decide Grid false "R";
    /// Sets the lead back to pending and moves to the next one.
    Pending "pending" "Move back to pending" Decide Grid false "P";
    /// Filters the lead out and moves to the next one.
    FilterOut "filter-out" "Filter out" Decide Grid false "F";
    /// Undoes the latest action.
    Undo "undo" "Undo" Decide Page false "U Ctrl+Z";
    /// Redoes what was undone last.
    Redo "redo" "Redo" Decide Page false "Ctrl+Shift+Z Ctrl+Y";
    /// Shows the latest decisions, each with an option to undo it.
    Recent "recent" "Recent decisions" Decide Page false "H";
    /// Deletes the lead after a confirmation.
    Delete "delete" "Delete" Decide Grid false "Delete";

    /// Moves to the next row.
    MoveDown "down" "Next row" Move Grid true "J";
    /// Moves to the previous row.
    MoveUp "up" "Previous row" Move Grid true "K";
    /// Moves to the next lead without a decision.
    NextUndecided "next-undecided" "Next undecided lead" Move Grid false "N";
    /// Opens the details of the row.
    Open "open" "Open details" Move Grid false "Enter";
    /// Shows one lead at a time, in place of the list; closes focus mode if it is open.
    FocusMode "focus-mode" "Focus mode" Move Grid false "O";
    /// Closes the details.
    Close "close" "Close details" Move Grid false "Escape";
    /// Shows the leads that wait for a decision.
    TabPending "tab-pending" "Pending leads" Move Page false "1";
    /// Shows the approved leads.
    TabApproved "tab-approved" "Approved leads" Move Page false "2";
    /// Shows the rejected leads.
    TabRejected "tab-rejected" "Rejected leads" Move Page false "3";
    /// Shows the leads that were filtered out.
    TabFiltered "tab-filtered" "Filtered leads" Move Page false "4";
    /// Shows the leads of every status.
    TabAll "tab-all" "All leads" Move Page false "5";

    /// Selects or deselects the row.
    Select "select" "Select or unselect" Select Grid false "X";
    /// Moves to the next row and selects the rows from where the range began.
    ExtendDown "extend-down" "Extend the selection down" Select Grid true "Shift+J";
    /// Moves to the previous row and selects the rows from where the range began.
    ExtendUp "extend-up" "Extend the selection up" Select Grid true "Shift+K";
    /// Selects all leads of the company that the lead works for.
    SelectCompany "select-company" "Select all leads of the company" Select Grid false "Shift+X";
    /// Selects all rows of the page; the second time, all matching rows.
    SelectAll "select-all" "Select the page, then all matching" Select Grid false "Ctrl+A";
    /// Selects all matching rows.
    SelectMatching "select-matching" "Select all matching" Select Page false "";
    /// Clears the selection.
    ClearSelection "clear-selection" "Clear the selection" Select Page false "";
    /// Approves the selected leads.
    ApproveSelected "approve-selected" "Approve selected" Select Grid false "Shift+A";
    /// Rejects the selected leads.
    RejectSelected "reject-selected" "Reject selected" Select Grid false "Shift+R";
    /// Scores the selected rows.
    ScoreSelected "score-selected" "Score selected" Select Page false "";
    /// Compares the pulses of the selected accounts.
    ComparePulses "compare-pulses" "Compare pulses of selected accounts" Select Page false "";
    /// Scores all matching rows.
    ScoreMatching "score-matching" "Score all matching" Select Page false "";

    /// Focuses the search box.
    Search "search" "Search" List Page false "/";
    /// Clears search and filters.
    ClearFilters "clear-filters" "Clear search and filters" List Page false "";
    /// Reloads the list.
    Refresh "refresh" "Refresh the list" List Page false "";
    /// Opens the saved views.
    Views "views" "Saved views" List Page false "V";
    /// Saves the view under a name.
    SaveView "save-view" "Save this view" List Page false "";
    /// Opens the columns menu.
    Columns "columns" "Columns" List Page false "C";
    /// Switches between compact and comfortable rows.
    ToggleDensity "density" "Compact or comfortable rows" List Page false "Z";
    /// Copies a link to the view.
    CopyLink "copy-link" "Copy a link to this view" List Page false "";
    /// Copies a link to the row under the cursor.
    CopyRowLink "copy-row-link" "Copy a link to this row" List Grid false "L";
    /// Opens the menu with the commands of the row under the cursor.
    RowMenu "row-menu" "Commands of this row" List Grid false "Shift+F10 ContextMenu";
    /// Scores a list.
    ScoreList "score-list" "Score a list" List Page false "";
    /// Scores the account under the cursor, or that of the lead under the cursor.
    ScoreAccount "score-account" "Score this account" List Grid false "S";
    /// Exports the leads of the view.
    Export "export" "Export" List Page false "";

    /// Opens the command palette.
    Palette "palette" "Commands" App Always false "Ctrl+K";
    /// Shows all keyboard shortcuts.
    Help "help" "Keyboard shortcuts" App Page false "?";
    /// Opens the leads page.
    GoLeads "go-leads" "Go to leads" App Page false "G>L";
    /// Opens the accounts page.
    GoAccounts "go-accounts" "Go to accounts" App Page false "G>A";
    /// Opens the portfolio page.
    GoPortfolio "go-portfolio" "Go to portfolio" App Page false "G>P";
    /// Opens the insights into the view.
    GoInsights "go-insights" "Go to insights" App Page false "G>I";
    /// Opens the settings.
    GoSettings "go-settings" "Go to settings" App Page false "G>S";
    /// Opens the import page.
    Import "import" "Import leads" App Page false "";
    /// Switches to the next color theme.
    // The id is stored with the key of a user.
    ThemeNext "colours" "Change the colors" App Page false "";
    /// Prompts for another workspace key.
    AskKey "workspace-key" "Change the workspace key" App Page false "";
    /// Signs out of the workspace after a confirmation.
    SignOut "sign-out" "Sign out" App Page false "";
}

impl Command {
    pub fn spec(self) -> &'static CommandSpec {
        &COMMANDS[self as usize]
    }

    /// Whether it changes leads.
    pub fn changes(self) -> bool {
        let decides = self.spec().group == CommandGroup::Decide && self != Self::Recent;
        decides || matches!(self, Self::ApproveSelected | Self::RejectSelected)
    }

    /// Whether it acts on the selection.
    pub fn is_for_selection(self) -> bool {
        matches!(
            self,
            Self::ClearSelection
                | Self::ApproveSelected
                | Self::RejectSelected
                | Self::ScoreSelected
                | Self::ComparePulses
        )
    }

    /// Returns the command with this [`CommandSpec::id`].
    pub fn parse(id: &str) -> Option<Self> {
        let spec = COMMANDS.iter().find(|spec| spec.id == id)?;
        Some(spec.command)
    }
}
