// Package lamp says how bright a lamp is.
package lamp

// Mode is how a lamp shines.
type Mode string

// Lumens of each mode.
var Lumens = map[Mode]int{"reading": 600, "evening": 180, "night": 20}
