-- The rows that transitions replace are removed once there are so many, not once they are a fifth of a table that grows with every job:
-- what a transition has to step over must not depend on how many jobs there were. A vacuum reads the pages that changed since the last
-- one, and the table's indexes. The pages of `job_states` have room for heap-only updates (0111), which a reader of the page removes.
alter table job_states set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
alter table offers set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
alter table job_dues set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);
alter table notifications set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);

-- 0112 made two tables of one, and analyzed only the new one.
analyze job_facts, job_states;
