/** What other areas may import of intelligence: the frame of its pictures. */
export { at, framed, svg, width } from './charts/frame.ts'
