import type { ReactNode } from 'react'

/** Drawn here, 16 px on a grid of 24, so that pages without the kit need no icon package. Always beside a name. */
const drawings = {
  menu: <path d="M4 7h16M4 12h16M4 17h16" />,
  search: (
    <>
      <circle cx="11" cy="11" r="6.5" />
      <path d="m16 16 4.5 4.5" />
    </>
  ),
  sun: (
    <>
      <circle cx="12" cy="12" r="4" />
      <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4" />
    </>
  ),
  moon: <path d="M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10Z" />,
  contrast: (
    <>
      <circle cx="12" cy="12" r="8" />
      <path d="M12 4a8 8 0 0 1 0 16Z" fill="currentColor" />
    </>
  ),
  globe: (
    <>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M3.5 12h17M12 3.5c5 5 5 12 0 17M12 3.5c-5 5-5 12 0 17" />
    </>
  ),
  calendar: <path d="M4 6.5h16V20H4zM4 10.5h16M8 3.5v4M16 3.5v4" />,
  expand: <path d="M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5" />,
  shrink: <path d="M9 4v5H4M15 4v5h5M9 20v-5H4M15 20v-5h5" />,
  user: (
    <>
      <circle cx="12" cy="8.5" r="4" />
      <path d="M4.5 20c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5" />
    </>
  ),
  chevron: <path d="m9 6 6 6-6 6" />,
  down: <path d="m6 9 6 6 6-6" />,
  close: <path d="m6 6 12 12M18 6 6 18" />,
  check: <path d="m5 12.5 4.5 4.500L19 7.5" />,
  alert: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 7.500v5.500M12 16.400v.1" />
    </>
  ),
  info: (
    <>
      <circle cx="12" cy="12" r="9" />
      <path d="M12 11v5.500M12 7.600v.1" />
    </>
  ),
  grid: <path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h6v6h-6z" />,
  play: <path d="M7 4.500v15l12-7.500z" fill="currentColor" />,
  pause: <path d="M8 5v14M16 5v14" />,
  replay: <path d="M4 5v5h5M4.500 10a8 8 0 1 1-.3 4M12 8v4.500l3 2" />,
  more: (
    <>
      <path d="M5 12h.01M12 12h.01M19 12h.01" strokeWidth="3" />
    </>
  ),
  bell: <path d="M6 16.500V11a6 6 0 0 1 12 0v5.500l1.500 1.500h-15zM10 20.500h4M12 5V3" />,
  review: <path d="M5 4h10l4 4v12H5zM15 4v4h4M8.5 14l2.500 2.500 4.500-4.500" />,
  broom: <path d="m14 10 6-6M9 9l6 6M9 9c-3 0-4 2.5-6 3l8.5 8.500c.5-2 3.5-3 3.5-5.500M6.5 14.5 9 12" />,
  exit: <path d="M14 4H5v16h9M10 12h10M16.5 8.5 20 12l-3.5 3.5" />,
  eye: (
    <>
      <path d="M2.5 12C5 7.5 8.5 5.5 12 5.500s7 2 9.5 6.500c-2.5 4.5-6 6.5-9.5 6.500S5 16.5 2.5 12Z" />
      <circle cx="12" cy="12" r="2.8" />
    </>
  ),
  eyeOff: (
    <>
      <path d="M4 4l16 16M9.5 6c4.5-1.5 9 .5 12 6-.8 1.4-1.7 2.6-2.7 3.5" />
      <path d="M14.5 18c-4.5 1.5-9-.5-12-6 .8-1.4 1.7-2.6 2.7-3.5" />
    </>
  ),
  refresh: <path d="M20 5v5h-5M4 19v-5h5M19 10a7.5 7.5 0 0 0-13-2.500M5 14a7.5 7.5 0 0 0 13 2.5" />,
  phone: (
    <>
      <rect x="7" y="2.5" width="10" height="19" rx="2.5" />
      <path d="M11 18.500h2" />
    </>
  ),
  wrench: <path d="M20 7.5 16.5 11 13 7.5 16.5 4a5 5 0 0 0-6.3 6.300L4 16.5 7.5 20l6.2-6.200A5 5 0 0 0 20 7.500Z" />,
  lock: (
    <>
      <rect x="5" y="10.5" width="14" height="10" rx="2" />
      <path d="M8 10.500V8a4 4 0 0 1 8 0v2.5" />
    </>
  ),
  machine: (
    <>
      <rect x="5" y="2.5" width="14" height="19" rx="2" />
      <path d="M8.5 6.500h7M8.5 10.500h7M8.5 17.500h7" />
    </>
  ),
  receipt: <path d="M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6" />,
  screen: (
    <>
      <rect x="3" y="4.5" width="18" height="12" rx="2" />
      <path d="M9 20.500h6M12 16.500v4" />
    </>
  ),
  several: <path d="m3.5 6.500 1.5 1.500 3-3M12 6.500h8.5M3.5 15.500l1.5 1.500 3-3M12 15.500h8.5" />,
  back: <path d="M20 12H5M11 6l-6 6 6 6" />,
  download: <path d="M12 4v11M7.5 10.500 12 15l4.5-4.500M4.5 19.500h15" />,
} satisfies Record<string, ReactNode>

export type IconName = keyof typeof drawings
export const isIconName = (name: string): name is IconName => Object.hasOwn(drawings, name)

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      {drawings[name]}
    </svg>
  )
}
