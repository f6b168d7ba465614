import { expect, it } from 'vitest';
import { resolveLocalTime, toLocalFields } from './schedule-dialog.tsx';

const resolve = (date: string, time: string, timeZone: string) => {
  const { at, note } = resolveLocalTime(date, time, timeZone) ?? {};
  return [at?.toISOString(), note];
};

it('resolves a time in a time zone', () => {
  expect(resolve('2027-01-15', '09:00', 'America/New_York')).toEqual(['2027-01-15T14:00:00.000Z', undefined]);
  expect(resolve('2027-07-15', '09:00', 'America/New_York')).toEqual(['2027-07-15T13:00:00.000Z', undefined]);
  expect(resolve('2027-01-15', '00:00', 'Asia/Kolkata')).toEqual(['2027-01-14T18:30:00.000Z', undefined]);
});

it('moves a time that clocks skip', () => {
  expect(resolve('2027-03-14', '02:30', 'America/New_York')).toEqual(['2027-03-14T07:30:00.000Z', 'skipped']);
  expect(toLocalFields(new Date('2027-03-14T07:30:00.000Z'), 'America/New_York').time).toBe('03:30');
  expect(resolve('2027-03-28', '02:15', 'Europe/Berlin')).toEqual(['2027-03-28T01:15:00.000Z', 'skipped']);
});

it('takes the first of two moments when clocks move back', () => {
  expect(resolve('2027-11-07', '01:30', 'America/New_York')).toEqual(['2027-11-07T05:30:00.000Z', 'repeated']);
  expect(resolve('2027-11-07', '03:00', 'America/New_York')).toEqual(['2027-11-07T08:00:00.000Z', undefined]);
});

it('returns nothing without a date or a time', () => {
  expect(resolveLocalTime('', '09:00', 'UTC')).toBeUndefined();
  expect(resolveLocalTime('2027-01-15', '', 'UTC')).toBeUndefined();
});

it('fills fields with the moment that they resolve to', () => {
  for (const timeZone of ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Chatham']) {
    const at = new Date('2027-06-01T12:34:00.000Z');
    const { date, time } = toLocalFields(at, timeZone);
    expect(resolveLocalTime(date, time, timeZone)?.at).toEqual(at);
  }
});
