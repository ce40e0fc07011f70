type Branch = { id: number; parentId: number | null; merchantId: number }

/** Where a branch may hang: below any of its merchant's but itself and what is below it. */
export function placesFor<B extends Branch>(branches: readonly B[], moved: Branch): readonly B[] {
  const own = new Set([moved.id])
  // Parents stand before their children.
  for (const { id, parentId } of branches) if (parentId !== null && own.has(parentId)) own.add(id)
  return branches.filter(({ id, merchantId }) => merchantId === moved.merchantId && !own.has(id))
}
