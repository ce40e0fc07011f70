import { encode } from 'uqr'

type Props = { text: string; label: string; className?: string | undefined }

/** Dark on white whatever the theme, with the quiet zone of four modules without which readers do not find it. */
export function QrCode({ text, label, className }: Props) {
  const { data, size } = encode(text, { border: 4 })
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      data-part="qr"
      className={className}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
