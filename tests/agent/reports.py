"""Three small reports: two speak of a theme and state a figure that no list in the code has heard of; one is silent."""

ALDER = """# Alder annual report 2023

## Risk factors

### Pollinator decline

Pollinator decline could cut our almond harvest by a third. Wild bees are dying in the valley.

### Climate change

Climate change brings drought to our almond orchards in the south.

## Results

(in thousands)

| | 2023 | 2022 |
| --- | --- | --- |
| Hatchery tonnage | 412 | 398 |
| Revenue | 12,450 | 11,900 |
"""
BIRCH = """# Birch annual report 2023

## Risk factors

### Decline of pollinators

The decline of pollinators such as wild bees may raise the price of hives.

### Climate change

Climate change may flood our hatcheries beside the river.

## Results

Hatchery tonnage was 2,051 in 2023, after 1,998 in 2022.

Revenue was $7 million in the year.
"""
CEDAR = """# Cedar annual report 2023

## Risk factors

### Competition

Intense competition may lower our prices. Our competitors have larger shops.

## Results

We sell old books by post. Revenue was $3 million in the year.
"""
