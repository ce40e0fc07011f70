import { memo } from 'react'
import { chinaMap } from 'virtual:china-map'
import { useFlash } from '../motion'
import type { Spot } from '../../../ui/chart/projection'
import styles from './map.module.css'

const { width, height, provinces, inset } = chinaMap
const VIEW_BOX = `0 0 ${width} ${height}`

/** Drawn once and never again: all 34 units, and the South China Sea in its frame. */
export const Land = memo(function Land() {
  return (
    <svg className={styles.land} viewBox={VIEW_BOX} aria-hidden="true">
      <g className={styles.landUnits}>
        {provinces.map(({ code, path }) => (
          <path key={code} d={path} />
        ))}
      </g>
      <rect className={styles.insetFrame} x={inset.x} y={inset.y} width={inset.width} height={inset.height} />
      <path className={styles.insetLand} d={inset.land} />
      <path className={styles.insetDashes} d={inset.dashes} />
    </svg>
  )
})

/** The province of the newest sale, lit up for a moment: a layer of its own, so that the land is not painted again. */
export const LitProvince = memo(function LitProvince({ code, saleKey }: { code: string; saleKey: string }) {
  const layer = useFlash<SVGSVGElement>(saleKey, LIT, 2_400)
  return (
    <svg className={styles.landLit} viewBox={VIEW_BOX} aria-hidden="true" ref={layer}>
      <path d={provinces.find((each) => each.code === code)?.path} />
    </svg>
  )
})

const LIT = [{ opacity: 1 }, { opacity: 1, offset: 0.3 }, { opacity: 0 }]

const outlines = new Map<string, Path2D>()

export function provinceAt([x, y]: Spot): string | null {
  const context = probe()
  const found = provinces.find(({ code, path }) => context?.isPointInPath(outlineOf(code, path), x, y))
  return found?.code ?? null
}

function outlineOf(code: string, path: string): Path2D {
  const known = outlines.get(code) ?? new Path2D(path)
  outlines.set(code, known)
  return known
}

let probing: CanvasRenderingContext2D | null = null
function probe(): CanvasRenderingContext2D | null {
  probing ??= document.createElement('canvas').getContext('2d')
  return probing
}
