-- Servers that led before and whose sessions may still be there. Whoever takes over ends them first: the one before may have
-- written its name and gone before it had ended those of its own predecessor.
alter table leadership add column to_end uuid[] not null default '{}';
