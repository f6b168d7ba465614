/** Matches 13 or more digits with at most one space or hyphen between them. */
const digitRunPattern = /\d(?:[ -]?\d){12,}/g;
const lengths = [13, 14, 15, 16, 17, 18, 19];

/** Replaces possible card numbers and adjacent digits, because users enter card numbers into free text. */
export const redactCardNumbers = (text: string): string =>
  text.replace(digitRunPattern, (run) => (hasCardNumber(run.replace(/\D/g, '')) ? '[card number removed]' : run));

const hasCardNumber = (digits: string): boolean =>
  Array.from(digits).some((_digit, from) =>
    lengths.some((length) => from + length <= digits.length && passesLuhn(digits.slice(from, from + length))),
  );

/** Whether the last digit is a valid check digit (Luhn, ISO/IEC 7812-1). */
function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .reverse()
    .map((digit, index) => (index % 2 === 0 ? digit : digit * 2))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return sum % 10 === 0;
}
