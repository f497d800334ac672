-- The pace of a reading: how far it is, what the node allows, and until when the reading waits for the node.
ALTER TABLE standing_readings
  ADD COLUMN wallets_read integer NOT NULL DEFAULT 0 CHECK (wallets_read >= 0),
  ADD COLUMN max_per_second real CHECK (max_per_second > 0),
  ADD COLUMN pause_ms integer NOT NULL DEFAULT 0 CHECK (pause_ms >= 0),
  ADD COLUMN paused_until timestamptz;
