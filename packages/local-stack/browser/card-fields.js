const digitsOf = (text) => text.replaceAll(/\D/g, '');
const lengthsOf = (number) => (/^3[47]/.test(number) ? { number: 15, cvc: 4 } : { number: 16, cvc: 3 });

/** Writes a card number in groups. */
export const formatNumber = (text) =>
  digitsOf(text)
    .slice(0, 19)
    .replaceAll(/(\d{4})(?=\d)/g, '$1 ');

/** Writes an expiration date as month and year. */
export function formatExpiry(text) {
  const digits = digitsOf(text);
  const padded = /^[2-9]/.test(digits) ? `0${digits}` : digits;
  return padded.length > 2 ? `${padded.slice(0, 2)} / ${padded.slice(2, 4)}` : padded;
}

export const formatCvc = (text) => digitsOf(text).slice(0, 4);

/** Returns the first error of each field with Stripe's codes and messages, and the fields of a card without errors. */
export function readCard({ number: numberText, expiry: expiryText, cvc: cvcText }, today = new Date()) {
  const [number, expiry, cvc] = [numberText, expiryText, cvcText].map(digitsOf);
  const [month, year] = [Number(expiry.slice(0, 2)), 2000 + Number(expiry.slice(2, 4))];
  const errors = {
    number: numberError(number),
    expiry: expiryError(expiry, { month, year, today }),
    cvc: cvc.length < lengthsOf(number).cvc && incomplete('cvc', 'security code'),
  };
  return { errors, card: { number, exp_month: month, exp_year: year, cvc } };
}

const incomplete = (field, name) => ({ code: `incomplete_${field}`, message: `Your card's ${name} is incomplete.` });

function numberError(number) {
  if (number.length < lengthsOf(number).number)
    return { code: 'incomplete_number', message: 'Your card number is incomplete.' };
  return !hasChecksum(number) && { code: 'invalid_number', message: 'Your card number is invalid.' };
}

function expiryError(digits, { month, year, today }) {
  if (digits.length < 4) return incomplete('expiry', 'expiration date');
  if (month < 1 || month > 12)
    return { code: 'invalid_expiry_month', message: "Your card's expiration date is invalid." };
  const [thisYear, thisMonth] = [today.getFullYear(), today.getMonth() + 1];
  if (year < thisYear)
    return { code: 'invalid_expiry_year_past', message: "Your card's expiration year is in the past." };
  return (
    year === thisYear &&
    month < thisMonth && { code: 'invalid_expiry_month_past', message: "Your card's expiration date is in the past." }
  );
}

/** Luhn's checksum, which every card number has. */
function hasChecksum(number) {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
