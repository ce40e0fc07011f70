import { type CSSProperties, memo, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useText } from '../../../ui/text'
import type { Spot } from '../../../ui/chart/projection'
import { chinaFrame } from './china'
import { LitProvince } from './land'
import type { MapFrame } from './mapFrame'
import { MapTip } from './mapTip'
import { useFlash } from '../motion'
import { type Dot, pointLayer } from './pointLayer'
import { nearest } from './points.rules'
import type { Sale } from '../panels/sale.rules'
import { openOrder, useMayOpenOrder } from '../panels/soldOrder'
import styles from './map.module.css'
import { classes } from '../../../ui/classes'

/** How near a pointer must come, in pixels. */
const REACH_PIXELS = 18

type Placed = Dot & { sale: Sale }

export const MapPanel = memo(function MapPanel(props: {
  sales: readonly Sale[]
  pointed: Sale | null
  machinesAbroad: number
}) {
  const { sales, pointed, machinesAbroad } = props
  const [world, setWorld] = useState<MapFrame | null>(null)
  // The last machine abroad may leave while the world is shown.
  const shown = machinesAbroad > 0 && world ? world : chinaFrame
  const showWorld = () => void import('./world').then(({ worldFrame }) => setWorld(worldFrame))
  return (
    <>
      {machinesAbroad > 0 && (
        <ViewSwitch isWorld={shown !== chinaFrame} onWorld={showWorld} onChina={() => setWorld(null)} />
      )}
      <MapStage key={shown.label} frame={shown} sales={sales} pointed={pointed} />
    </>
  )
})

function ViewSwitch({ isWorld, onWorld, onChina }: { isWorld: boolean; onWorld: () => void; onChina: () => void }) {
  const t = useText('wallboard')
  return (
    <fieldset className={classes(styles.metricSwitch, styles.view)} aria-label={t('map.view')}>
      <button type="button" aria-pressed={!isWorld} onClick={onChina}>
        {t('map.china')}
      </button>
      <button type="button" aria-pressed={isWorld} onClick={onWorld}>
        {t('map.world')}
      </button>
    </fieldset>
  )
}

function MapStage({ frame, sales, pointed }: { frame: MapFrame; sales: readonly Sale[]; pointed: Sale | null }) {
  const { width, height, Land } = frame
  const t = useText('wallboard')
  const placed = useMemo(() => placedOf(frame, sales), [frame, sales])
  const canvas = usePoints(placed, width)
  const [hovered, setHovered] = useState<Sale | null>(null)
  const newest = placed[0]
  const placeOf = (sale: Sale | null) => placed.find((each) => each.sale.key === sale?.key)
  const chosen = placeOf(pointed) ?? placeOf(hovered) ?? newest
  const province = useMemo(() => (newest ? frame.provinceAt(newest.spot) : null), [frame, newest])
  const mayOpen = useMayOpenOrder()
  const style: CSSProperties & { '--units-high': number } = {
    aspectRatio: `${width} / ${height}`,
    '--units-high': height,
  }

  const saleAt = (event: PointerEvent<HTMLCanvasElement>): Sale | null => {
    const box = event.currentTarget.getBoundingClientRect()
    const scale = width / box.width
    const pointer: Spot = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale]
    const spots = placed.map(({ spot }) => spot)
    const found = nearest(spots, pointer, REACH_PIXELS * scale)
    return found === null ? null : (placed[found]?.sale ?? null)
  }
  const onPress = (event: PointerEvent<HTMLCanvasElement>) => {
    const sale = saleAt(event)
    setHovered(sale)
    // A finger has no pointer to hover with: its first touch names the sale, the second opens it.
    const isNamed = event.pointerType === 'mouse' || (sale !== null && sale.key === hovered?.key)
    if (sale && mayOpen && isNamed) void openOrder(sale)
  }
  return (
    <div className={styles.stage}>
      <div className={styles.map} style={style}>
        <Land />
        {newest && province && <LitProvince code={province} saleKey={newest.sale.key} />}
        {newest && <Newest frame={frame} spot={newest.spot} saleKey={newest.sale.key} />}
        <canvas
          ref={canvas}
          role="img"
          className={mayOpen && hovered ? styles.leads : ''}
          aria-label={t(frame.label, { count: placed.length })}
          onPointerMove={(event) => setHovered(saleAt(event))}
          onPointerUp={onPress}
          onPointerLeave={() => setHovered(null)}
        />
        {chosen && (
          <MapTip
            key={chosen.sale.key}
            frame={frame}
            sale={chosen.sale}
            number={chosen.position + 1}
            spot={chosen.spot}
          />
        )}
      </div>
    </div>
  )
}

function placedOf(frame: MapFrame, sales: readonly Sale[]): readonly Placed[] {
  return sales
    .map((sale, position): Placed | null => {
      const spot = frame.spotOf(sale)
      return spot && { sale, position, spot }
    })
    .filter((each) => each !== null)
}

function Newest({ frame, spot: [x, y], saleKey }: { frame: MapFrame; spot: Spot; saleKey: string }) {
  const flash = useFlash<HTMLElement>(saleKey, FLASH, 900)
  return (
    <span
      data-part="map-newest"
      className={styles.newest}
      style={{ left: `${(100 * x) / frame.width}%`, top: `${(100 * y) / frame.height}%` }}
    >
      <i ref={flash} />
    </span>
  )
}

const FLASH = [
  { opacity: 1, transform: 'scale(1.8)' },
  { opacity: 0, transform: 'scale(0.4)' },
]

function usePoints(placed: readonly Placed[], unitsWide: number) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const layer = useRef<ReturnType<typeof pointLayer> | null>(null)

  useEffect(() => {
    const element = canvas.current
    if (!element) return
    const points = pointLayer(element)
    layer.current = points
    const observer = new ResizeObserver(() => points.resize(element.clientWidth, element.clientHeight, unitsWide))
    observer.observe(element)
    return () => observer.disconnect()
  }, [unitsWide])

  useEffect(() => layer.current?.show(placed), [placed])

  return canvas
}
