"""What the pipeline is made of, one module for each: from settings to systems, from code and models to answers.

Of code: `assembling` reads it and says what is run, `checking` who answers claims on it, `driving` brings runs to the
compiled code; `examining` and `proposing` are for who begins. Of models: `reducing`, `comparing`, `composing`,
`differing`, `changing` and `monitoring`. Of designs: `designs` and `agreeing`, with `lifelines` and `simulating`.
"""
