/**
 * What an issuer pays now of what is due for its cards, in fen: as much as it could withdraw. Below 0 where more was
 * brought in than is due (a gift came back): that is its own again.
 */
export function issuerPays({ dueFen, availableFen }: { dueFen: number; availableFen: number }): number {
  return Math.min(dueFen, Math.max(0, availableFen))
}
