-- The numbers of a customer's open jobs: those that wait for their time, or the others; all; and those of one vehicle.
--
-- A statement sees what was committed when it began. The statement that creates jobs locks their customers and has to count after that.
-- This function is volatile, so the statement inside it sees what was committed when the function was called. The arguments are the
-- customer's row, which the caller has locked, and the new job's vehicle, whether it waits, and its time.
create function count_open_jobs(
    of_customer uuid, for_vehicle uuid, is_waiting boolean, now_at timestamptz,
    out of_kind bigint, out in_all bigint, out of_vehicle bigint
) language plpgsql volatile as $$
begin
    select count(*) filter (where (j.status = 'pending' and j.begin_at > now_at) = is_waiting), count(*),
        count(*) filter (where j.vehicle_id = for_vehicle)
    into of_kind, in_all, of_vehicle
    from vehicles v join jobs j on j.vehicle_id = v.id and j.is_open
    where v.user_id = of_customer;
end $$;
