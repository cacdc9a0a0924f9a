"""The pages: they draw snapshots and decide nothing."""
