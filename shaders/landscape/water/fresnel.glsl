// How much of the light a water surface reflects, by the cosine between view and normal: Schlick's form of Fresnel's
// law, exactly 1 at grazing and water's 0.02 at vertical view.
const float water_reflectance = 0.02;
float fresnel(float cosine) {
  float c = clamp(1.0 - cosine, 0.0, 1.0);
  return water_reflectance + (1.0 - water_reflectance) * (c * c * c * c * c);
}
