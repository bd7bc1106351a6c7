const weights = [3, 7, 1] as const

/**
 * A CLABE with its check digit: bank (3 digits), plaza (3), account (11), check (1). Weights 3, 7, 1 in turn; each
 * product and their sum count by their last digit. (Banco de México / ABM rule, checked against published CLABEs.)
 * @throws RangeError when it is not 17 digits.
 */
export function clabeWithCheckDigit(digits: string): string {
  if (!/^\d{17}$/.test(digits)) throw new RangeError('a CLABE has 17 digits before its check digit')
  let sum = 0
  for (let at = 0; at < 17; at++) sum += (Number(digits[at]) * weights[at % 3]!) % 10
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** True for 18 digits whose check digit is right. Whether the account exists only its bank knows. */
export const isClabe = (text: string): boolean =>
  /^\d{18}$/.test(text) && clabeWithCheckDigit(text.slice(0, 17)) === text
