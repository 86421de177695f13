/** A number with its sign. @param {number} number */
export const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `\u2212${-number}` : "0");
