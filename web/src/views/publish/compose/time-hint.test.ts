import { expect, it } from 'vitest';
import { timeHint } from './time-hint';

it.each([
  ['Europe/Berlin', '2027-03-28T02:30', '03:30'],
  ['Europe/Berlin', '2027-03-28T02:00', '03:00'],
  ['America/New_York', '2027-03-14T02:15', '03:15'],
  ['Australia/Lord_Howe', '2027-10-03T02:15', '02:45'],
])('warns that in %s the time %s does not exist', (zone, localTime, shown) => {
  expect(timeHint(localTime, zone)).toContain(`${localTime.slice(11)} does not exist on ${localTime.slice(0, 10)}`);
  expect(timeHint(localTime, zone)).toMatch(new RegExp(`The post is published at ${shown}\\.$`));
});

it.each([
  ['Europe/Berlin', '2027-10-31T02:30'],
  ['Europe/Berlin', '2027-10-31T02:00'],
  ['America/New_York', '2027-11-07T01:30'],
  ['Australia/Lord_Howe', '2027-04-04T01:45'],
])('says that in %s the time %s comes twice, and which is meant', (zone, localTime) => {
  expect(timeHint(localTime, zone)).toMatch(/occurs twice on .* is published the first time\.$/);
});

it.each([
  ['Europe/Berlin', '2027-03-28T01:59'],
  ['Europe/Berlin', '2027-03-28T03:00'],
  ['Europe/Berlin', '2027-10-31T01:59'],
  ['Europe/Berlin', '2027-10-31T03:00'],
  ['Europe/Berlin', '2027-07-01T09:00'],
  ['Asia/Kolkata', '2027-03-28T02:30'],
  ['UTC', '2027-03-28T02:30'],
  ['Europe/Berlin', ''],
])('says nothing of %s, %s', (zone, localTime) => {
  expect(timeHint(localTime, zone)).toBeUndefined();
});
