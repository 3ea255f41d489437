-- Customers, mechanics, receipts and the console call each kind of help by one name. What an operator has renamed stays.
update service_categories set name = renamed.now
from (values
    ('018f0000-0000-7000-8000-000000000002'::uuid, 'Battery jump start', 'Flat battery'),
    ('018f0000-0000-7000-8000-000000000004'::uuid, 'Fuel delivery', 'Out of fuel'),
    ('018f0000-0000-7000-8000-000000000005'::uuid, 'Lockout', 'Locked out'),
    ('018f0000-0000-7000-8000-000000000006'::uuid, 'On-site repair', 'Other repair')
) as renamed (id, was, now)
where service_categories.id = renamed.id and service_categories.name = renamed.was;
