-- A job keeps what it is about and who takes part, so that its log shows them without a look elsewhere, and its history stays
-- readable after the vehicle or the category was deleted. Empty in jobs that the release before this one makes.

alter table jobs
    -- As they were at creation.
    add column service_category_name text not null default '',
    add column service_category_slug text not null default '',
    add column vehicle_make text not null default '',
    add column vehicle_model text not null default '',
    add column vehicle_color text,
    add column vehicle_registration_number text not null default '',
    -- As they were at the job's last event.
    add column customer_name text,
    add column mechanic_name text,
    -- Only while a mechanic is on the job.
    add column customer_phone text,
    -- How often the customer corrected the job, and where its pickup was at creation, if it was moved since.
    add column corrections integer not null default 0,
    add column original_pickup_lat double precision,
    add column original_pickup_lng double precision;

update jobs j set service_category_name = c.name, service_category_slug = c.slug, vehicle_make = v.make,
    vehicle_model = v.model, vehicle_color = v.color, vehicle_registration_number = v.registration_number,
    customer_name = p.name, customer_phone = case when job_is_active(j.status) then p.phone end,
    mechanic_name = (select u.name from mechanic_profiles m join users u on u.id = m.user_id where m.id = j.mechanic_profile_id)
from service_categories c, vehicles v, users p
where c.id = j.service_category_id and v.id = j.vehicle_id and p.id = j.customer_id;

-- What is read again from the log is to name them, too.
update job_events e set snapshot = e.snapshot || jsonb_build_object(
    'service_category_name', j.service_category_name, 'service_category_slug', j.service_category_slug,
    'vehicle_make', j.vehicle_make, 'vehicle_model', j.vehicle_model, 'vehicle_color', j.vehicle_color,
    'vehicle_registration_number', j.vehicle_registration_number, 'customer_name', j.customer_name)
from jobs j
where j.id = e.job_id and e.snapshot is not null;
