/** One numbered step of the database. A step that was released is never edited; a change is a new step. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
}

/**
 * Every step, in order. In the decision log a row is only ever added at the end: SQLite's own REPLACE would delete without firing a
 * delete trigger, so the insert trigger also insists on the next position and on the hash of the row before.
 * `unsettled` only indexes the log: which calls were started and have no outcome yet, found without reading the log from its start.
 */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: 'decision log and sessions',
    sql: `
      CREATE TABLE decision_log (
        seq INTEGER PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('decision', 'started', 'outcome')),
        id TEXT NOT NULL,
        at INTEGER NOT NULL,
        session TEXT,
        tool TEXT,
        body TEXT NOT NULL,
        prev_hash TEXT NOT NULL,
        hash TEXT NOT NULL
      );
      CREATE INDEX decision_log_id ON decision_log (id, kind);
      CREATE INDEX decision_log_use ON decision_log (json_extract(body, '$.toolUseId')) WHERE kind = 'decision';
      CREATE INDEX decision_log_session ON decision_log (session, seq) WHERE kind = 'decision';
      CREATE UNIQUE INDEX decision_log_started_once ON decision_log (id) WHERE kind = 'started';
      CREATE UNIQUE INDEX decision_log_settled_once ON decision_log (id) WHERE kind = 'outcome';
      CREATE TRIGGER decision_log_no_update BEFORE UPDATE ON decision_log
        BEGIN SELECT RAISE(ABORT, 'the decision log is append-only'); END;
      CREATE TRIGGER decision_log_no_delete BEFORE DELETE ON decision_log
        BEGIN SELECT RAISE(ABORT, 'the decision log is append-only'); END;
      CREATE TRIGGER decision_log_at_the_end BEFORE INSERT ON decision_log
        WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM decision_log)
          OR NEW.prev_hash IS NOT coalesce((SELECT hash FROM decision_log ORDER BY seq DESC LIMIT 1), '')
        BEGIN SELECT RAISE(ABORT, 'the decision log is append-only'); END;

      CREATE TABLE unsettled (id TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE TRIGGER unsettled_started AFTER INSERT ON decision_log WHEN NEW.kind = 'started'
        BEGIN INSERT INTO unsettled (id) VALUES (NEW.id); END;
      CREATE TRIGGER unsettled_settled AFTER INSERT ON decision_log WHEN NEW.kind = 'outcome'
        BEGIN DELETE FROM unsettled WHERE id = NEW.id; END;

      CREATE TABLE sessions (
        id TEXT PRIMARY KEY,
        cwd TEXT NOT NULL,
        title TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        touched INTEGER NOT NULL,
        next_seq INTEGER NOT NULL,
        meta TEXT NOT NULL
      ) WITHOUT ROWID;
      CREATE INDEX sessions_touched ON sessions (touched);
      CREATE INDEX sessions_cwd ON sessions (cwd, touched);
      CREATE TABLE session_rows (
        session_id TEXT NOT NULL REFERENCES sessions (id),
        seq INTEGER NOT NULL,
        at INTEGER NOT NULL,
        row TEXT NOT NULL,
        PRIMARY KEY (session_id, seq)
      );
    `,
  },
];
