// Which variants go with an edition, a number of players and each other; a pure function of the table's own choices.

export const title = (name) => name.replaceAll("-", " ").replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

export const plain = (name) => name.replaceAll("-", " ");

// Why a variant cannot be chosen now, as a sentence; "" where it can. `chosen` is a Set of variants' names.
export function hindrance(variant, edition, players, chosen) {
  if (variant.editions.length > 0 && !variant.editions.includes(edition)) {
    return `Only with ${variant.editions.map(title).join(" or ")}.`;
  }
  if (!variant.players.includes(players)) return `Only for ${variant.players.join(" or ")} players.`;
  if (variant.needs && !chosen.has(variant.needs)) return `Only together with ${plain(variant.needs)}.`;
  const other = variant.not_with.find((one) => chosen.has(one));
  return other ? `Not together with ${plain(other)}.` : "";
}

// The chosen variants that may stay, once edition or players have changed.
export function stillPossible(variants, edition, players, chosen) {
  const kept = new Set(chosen);
  let before;
  do {
    before = kept.size;
    for (const variant of variants) {
      if (kept.has(variant.name) && hindrance(variant, edition, players, kept)) kept.delete(variant.name);
    }
  } while (kept.size !== before);
  return kept;
}
