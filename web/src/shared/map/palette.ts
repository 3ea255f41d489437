// The colours of the ground: quiet, so that people and vehicles on it are seen first.
export type Scheme = "light" | "dark";

export const palettes = {
  light: {
    sea: "#c9dbe8", land: "#f4f2ed", border: "#b3ada0", town: "#ece9e2", green: "#d5e6cb", wood: "#c9dfc0", water: "#b9d6e8", airfield: "#e3e1e6",
    runway: "#d2d0d8", building: "#e0dbd1", rail: "#b8b4bd",
    motorway: "#f6d58f", motorwayCase: "#d9b263", primary: "#fdeec4", primaryCase: "#ddcb9c", secondary: "#ffffff", secondaryCase: "#d5d1c7",
    street: "#ffffff", streetCase: "#dedad1",
    text: "#4a4f57", textStrong: "#23272e", textRoad: "#5a4f39", textWater: "#2b5f83", textGreen: "#3b6632", halo: "#ffffff",
  },
  dark: {
    sea: "#0e1a27", land: "#171c23", border: "#4a5666", town: "#1c222b", green: "#1d3127", wood: "#1b2e24", water: "#15304a", airfield: "#20252f",
    runway: "#2c3340", building: "#222933", rail: "#3e4755",
    motorway: "#665532", motorwayCase: "#14181e", primary: "#474335", primaryCase: "#14181e", secondary: "#353d49", secondaryCase: "#14181e",
    street: "#2a313b", streetCase: "#171c23",
    text: "#a9b2be", textStrong: "#dde2e9", textRoad: "#c9bea3", textWater: "#7fb4d8", textGreen: "#8fbf92", halo: "#12161c",
  },
} as const;

export type Palette = Record<keyof (typeof palettes)["light"], string>;
