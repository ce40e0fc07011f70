import { ScreenLink } from '../admin/fields/ref'

/** A trace code opens its story: made, received, loaded, sold. */
export const TraceLink = ({ code }: { code: string }) => (
  <ScreenLink screen="ypgl/yplb" search={{ part: 'trace', trace: code }}>
    {code}
  </ScreenLink>
)
