import { ScreenLink } from '../admin/fields/ref'

/** The name of a product or medicine opens it, wherever it stands. */
export const ProductLink = ({ id, children }: { id: number; children: string }) => (
  <ScreenLink screen="spgl/wdsp" search={{ open: String(id) }}>
    {children}
  </ScreenLink>
)
