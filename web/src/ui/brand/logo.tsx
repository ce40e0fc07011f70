/** The mark: a machine's front with its shelves. The name beside it is not translated. */
export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect x="3" y="1.5" width="26" height="29" rx="6" fill="#1557d6" />
      <g fill="#fff">
        <rect x="8" y="7" width="4" height="5" rx="1.2" />
        <rect x="14" y="7" width="4" height="5" rx="1.2" opacity=".72" />
        <rect x="20" y="7" width="4" height="5" rx="1.2" opacity=".45" />
        <rect x="8" y="14.5" width="4" height="5" rx="1.2" opacity=".45" />
        <rect x="14" y="14.5" width="4" height="5" rx="1.2" />
        <rect x="20" y="14.5" width="4" height="5" rx="1.2" opacity=".72" />
        <rect x="8" y="23" width="16" height="3" rx="1.5" fill="#9cc4ff" />
      </g>
    </svg>
  )
}
