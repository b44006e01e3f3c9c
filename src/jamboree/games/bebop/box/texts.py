"""The game's text catalogue (words/locale), and refusals that name their rule."""

from jamboree.core.words import Catalogue

CATALOGUE = Catalogue("jamboree.games.bebop.words")
refuse = CATALOGUE.refuse
