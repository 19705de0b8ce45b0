/** Crockford’s base32: no letter looks like a figure. */
export const CODE_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 50 bits, of which a person may guess five times in a quarter of an hour */
export const CODE_LENGTH = 10

/** A code as it was meant, however it was typed: small letters, dashes and spaces, O for 0, I and L for 1. */
export function plainCode(typed: string): string {
  return typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
}

/** Names a code among the keys of what happens once. */
export function codeKey(typed: string): string {
  return `access-code:${plainCode(typed)}`
}

/** `K7QX94MZ2D` → `K7QX9-4MZ2D` */
export function codeInGroups(code: string): string {
  return `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`
}
